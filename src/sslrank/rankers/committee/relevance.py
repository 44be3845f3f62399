"""Out-of-bag permutation importance of a committee: Algorithms 1 (lines 21-32) and 4 of paper ssfi."""

import numpy as np

from sslrank.rankers.committee.cotraining import measure_confidence


def out_of_bag_matrix(member, labels, label, confidence):
    """Find the out-of-bag rows that a member predicts correctly (Algorithm 4).

    A labelled row is correct if the member predicts its class. An unlabelled row is correct if the member agrees with
    the vote of all members (itself included) for which the row is out of bag.

    Parameters
    ----------
    member : Member
    labels : ndarray of shape (n,), int32
        Class codes of the labelled rows.
    label, confidence : ndarray of shape (n,)
        From :func:`~sslrank.rankers.committee.cotraining.measure_confidence`.

    Returns
    -------
    data : ndarray of int32
        O_data, rows.
    data_label : ndarray of int32
        O_label, class codes.
    data_confidence : ndarray of float64
        O_conf: 1 for a labelled row, the share of the winning votes for an unlabelled one.
    """
    given = member.labeled_oob
    given = given[member.model.predict(given) == labels[given]]
    agreed = member.unlabeled_oob[member.predicted == label[member.unlabeled_oob]]
    return (
        np.concatenate([given, agreed]),
        np.concatenate([labels[given], label[agreed]]),
        np.concatenate([np.ones(len(given)), confidence[agreed]]),
    )


def permutation_importances(committee, labels, n_features, shuffled):
    """Average importances of all features over the committee.

    For every member and feature of its subspace, the feature is permuted over the rows of
    :func:`out_of_bag_matrix`; the confidences of the rows whose prediction changes are summed. A feature that
    the member does not use is skipped: permuting it changes nothing.

    Parameters
    ----------
    committee : Committee
    labels : ndarray of shape (n,), int32
        Class codes of the labelled rows.
    n_features : int
    shuffled : callable
        ``shuffled(member, rows)`` gives a function that returns the rows in a new random order at each call.

    Returns
    -------
    ndarray of shape (n_features,), float64
        In units of confident rows per member (the sum divided by N, section III.C). At least 0.
    """
    label, confidence = measure_confidence(committee.votes)

    def of_chunk(chunk):
        sums_of_members = []
        for member in chunk:
            data, data_label, data_confidence = out_of_bag_matrix(member, labels, label, confidence)
            shuffle = shuffled(member, data)
            features = member.model.used_features
            sums = np.zeros(len(features))
            for k, feature in enumerate(features):
                wrong = member.model.predict_permuted(data, feature, shuffle()) != data_label
                sums[k] = data_confidence[wrong].sum()
            sums_of_members.append((member.index, features, sums))
        return sums_of_members

    importances = np.zeros(n_features)
    sums_of_members = [of_member for of_chunk in committee.each(of_chunk) for of_member in of_chunk]
    for _, features, sums in sorted(sums_of_members, key=lambda of_member: of_member[0]):  # one order, whatever n_jobs
        importances[np.asarray(features, dtype=np.intp)] += sums
    return importances / len(committee.members)
