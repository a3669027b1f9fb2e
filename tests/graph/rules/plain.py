"""Functions of NumPy that are not recorded: what calls them runs as plain Python."""

PLAIN = {
    "Its result has as many numbers as it finds": [
        *(
            "np.argwhere",
            "np.bincount",
            "np.compress",
            "np.extract",
            "np.flatnonzero",
            "np.histogram",
        ),
        *("np.histogram2d", "np.histogram_bin_edges", "np.histogramdd", "np.intersect1d", "np.ix_"),
        *("np.linalg.lstsq", "np.nonzero", "np.polydiv", "np.polymul", "np.roots", "np.setdiff1d"),
        *("np.setxor1d", "np.trim_zeros", "np.union1d", "np.unique", "np.unique_all"),
        *("np.unique_counts", "np.unique_inverse", "np.unique_values"),
    ],
    "Its dtype depends on values": [
        *("np.linalg.eig", "np.linalg.eigvals", "np.poly", "np.real_if_close"),
    ],
    "It returns no array": [
        *("np.allclose", "np.array_equal", "np.array_equiv", "np.array2string", "np.array_repr"),
        *("np.array_str", "np.datetime_as_string", "np.einsum_path", "np.may_share_memory"),
        *("np.shares_memory",),
    ],
    "It calls a function of yours": [
        *("np.apply_along_axis", "np.apply_over_axes", "np.piecewise"),
    ],
    "It writes a file": [
        *("np.save", "np.savetxt", "np.savez", "np.savez_compressed"),
    ],
}
