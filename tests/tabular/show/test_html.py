"""The page of a ranking of one's own, in a browser without network."""

from browsing import Opened, serious_faults


def test_the_page_can_be_read_by_everyone(run, frame, browser, tmp_path):
    odd = {"f0": "<b>bold</b>", "f1": "Größe α " + 60 * "long", "f2": "a\"b'c", "f3": "</script>"}
    frame.rename(columns=odd).to_csv("d.csv", index=False)
    words = ("--methods", "information_gain,f_score", "--out", "p.html")
    assert run("rank", "d.csv", "--target", "y", *words)[0] == 0
    for width, scheme, rules in ((1400, "light", {"runOnly": ["color-contrast"]}), (400, "dark", {})):
        opened = Opened(browser, tmp_path / "p.html", viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = opened.go("")
        assert serious_faults(page, **rules) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shown = page.eval_on_selector_all(".ranking td:nth-child(2)", "cells => cells.map(cell => cell.textContent)")
        assert set(shown) == {odd.get(name, name) for name in frame.columns.drop("y")}
        assert page.locator("svg[role=img][aria-label]").count() == 5
        page.locator(".scroll:has(.ranking)").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('.scroll:has(.ranking)').scrollLeft > 0")
        opened.check()
        opened.window.close()
