#!/bin/sh
# Fills a folder with what benchmarks/scaling.py needs on a machine without network that has
# Python and NumPy and nothing else: Feedline with its native kernels, cloudpickle, simplejpeg and
# Pillow, all for the Python named here.
#
#   benchmarks/carry.sh PYTHON [FOLDER]           here; FOLDER is build/carry, which git ignores
#   PYTHONPATH=FOLDER python3 benchmarks/scaling.py OUT       there, from the root of the tree
#
# PYTHON must have the version of the Python there, and the system there must not be older than
# this one: the kernels use its C and C++ libraries.
set -eu
python=${1:?usage: benchmarks/carry.sh PYTHON [FOLDER]}
folder=${2:-build/carry}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet cmake nanobind ninja scikit-build-core
"$work/venv/bin/pip" wheel --quiet --no-deps --no-build-isolation \
  --wheel-dir "$work" .
rm -rf "$folder"
"$work/venv/bin/pip" install --quiet --no-deps --no-compile --target "$folder" \
  "$work"/feedline-*.whl cloudpickle fsspec isal pillow simplejpeg
du -sh "$folder"
