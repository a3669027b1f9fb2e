"""The table: every function, method and operator that is recorded, with examples."""

from tests.graph.rules.entries import elementwise, indexing, linear, reductions, shapes

FAMILIES = {
    "Numbers one by one": elementwise.ENTRIES,
    "Reductions, running results, statistics, sorting, searching": reductions.ENTRIES,
    "Shapes, repeating, padding, joining, splitting": shapes.ENTRIES,
    "Indexing, taking, changes in place, questions about shapes": indexing.ENTRIES,
    "Products, np.linalg, Fourier transforms, polynomials": linear.ENTRIES,
}
TABLE = [entry for entries in FAMILIES.values() for entry in entries]
