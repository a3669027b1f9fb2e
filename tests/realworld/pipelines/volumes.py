"""Medical volumes and graphs: arrays loaded behind Python functions, patches, adjacency."""

import numpy as np

from tests.realworld.library import tf


def _write_volumes(n=4):
    names = []
    for k in range(n):
        rng = np.random.RandomState(k)
        np.save(f"scan-{k}.npy", rng.randint(-1200, 600, (6, 7, 4)).astype(np.int16))
        np.save(f"mask-{k}.npy", rng.randint(0, 3, (6, 7, 4)).astype(np.uint8))
        names.append((f"scan-{k}.npy", f"mask-{k}.npy"))
    return names


def pipeline_scans_rotated():
    """Volumes stacked in memory, clipped and scaled, rotated behind numpy_function, one axis more."""
    scans = np.stack([np.load(scan) for scan, _ in _write_volumes()]).astype(np.float32)
    volumes = np.clip(scans, -1000, 400)
    volumes = ((volumes + 1000) / 1400).astype("float32")
    labels = np.array([1 for _ in range(2)] + [0 for _ in range(2)])

    @tf.function
    def rotate(volume):
        def scipy_rotate(volume):
            quarter = int(volume.sum()) % 4
            volume = np.rot90(volume, quarter if quarter % 2 == 0 else 2)
            volume = volume.astype(np.float32)
            volume[volume < 0] = 0
            volume[volume > 1] = 1
            return volume

        return tf.numpy_function(scipy_rotate, [volume], tf.float32)

    def train_preprocessing(volume, label):
        volume = rotate(volume)
        volume = tf.expand_dims(volume, axis=3)
        return volume, label

    loader = tf.data.Dataset.from_tensor_slices((volumes, labels))
    return loader.shuffle(len(volumes), seed=5).map(train_preprocessing).batch(2).prefetch(2)


def pipeline_scans_loaded_by_path():
    """Paths to (image, mask) behind py_function with decoded names, set_shape, depth to channels."""
    names = _write_volumes()

    def load(scan, mask):
        image = np.load(scan.numpy().decode("utf-8")).astype(np.float32)
        label = np.load(mask.numpy().decode())
        mean, std = image.mean(), image.std()
        return (image - mean) / std, label

    def tf_load(scan, mask):
        image, label = tf.py_function(load, inp=[scan, mask], Tout=(tf.float32, tf.uint8))
        image.set_shape((6, 7, 4))
        label.set_shape((6, 7, 4))
        one_hot = tf.one_hot(tf.cast(label, tf.int32), 3, axis=-1)
        return image[..., tf.newaxis], one_hot

    ds = tf.data.Dataset.from_tensor_slices(([a for a, _ in names], [b for _, b in names]))
    return ds.map(tf_load, num_parallel_calls=tf.data.experimental.AUTOTUNE).batch(2)


def pipeline_patches_of_volumes():
    """Patches on a grid by slices and a nested range, kept where the mask has enough."""
    scan_and_mask = [(np.load(a).astype(np.float32), np.load(b)) for a, b in _write_volumes(2)]
    ds = tf.data.Dataset.from_generator(
        lambda: iter(scan_and_mask),
        output_types=(tf.float32, tf.uint8),
        output_shapes=((6, 7, 4), (6, 7, 4)),
    )

    def patches(image, mask):
        starts = tf.stack(tf.meshgrid([0, 2], [0, 3], indexing="ij"), axis=-1)
        starts = tf.reshape(starts, [-1, 2])

        def cut(start):
            begin = tf.concat([start, [0]], 0)
            return tf.slice(image, begin, [4, 4, 4]), tf.slice(mask, begin, [4, 4, 4])

        return tf.data.Dataset.from_tensor_slices(starts).map(cut)

    ds = ds.flat_map(patches)
    ds = ds.filter(lambda image, mask: tf.reduce_mean(tf.cast(mask > 0, tf.float32)) > 0.65)
    return ds.map(lambda image, mask: (tf.image.per_image_standardization(image), mask)).batch(2)


def pipeline_slices_of_volumes():
    """unbatch of depth: transpose, unbatch, resize of each slice, a cache in memory."""
    stack = np.stack([np.load(a) for a, _ in _write_volumes(2)])
    ds = tf.data.Dataset.from_tensor_slices(stack)
    ds = ds.map(lambda v: tf.transpose(v, (2, 0, 1))).unbatch()
    ds = ds.map(lambda s: tf.cast(s, tf.float32)[..., tf.newaxis])
    ds = ds.map(lambda s: tf.image.resize(s, (4, 4), method="nearest"))
    ds = ds.map(lambda s: tf.clip_by_value((s + 1000.0) / 1400.0, 0.0, 1.0)).cache()
    return ds.batch(4)


def pipeline_volume_augmented():
    """Flips along axes by tf.reverse and a condition on a value, gamma by pow, crop to a size."""
    stack = np.stack([np.load(a) for a, _ in _write_volumes(3)]).astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices(stack).enumerate()

    def augment(number, volume):
        flip = tf.equal(number % 2, 0)
        volume = tf.cond(flip, lambda: tf.reverse(volume, axis=[0]), lambda: volume)
        low, high = tf.reduce_min(volume), tf.reduce_max(volume)
        scaled = tf.math.divide_no_nan(volume - low, high - low)
        gamma = tf.case(
            [(number < 1, lambda: 0.8), (number < 2, lambda: 1.0)], default=lambda: 1.25
        )
        crop = scaled[1:-1, 1:-1, :]
        padded = tf.pad(crop, [[0, 8 - tf.shape(crop)[0]], [0, 0], [0, 0]], mode="CONSTANT")
        return tf.pow(padded, gamma)

    return ds.map(augment).batch(3)


def pipeline_records_of_volumes():
    """Volumes as raw bytes with their shape in Examples, reshape by parsed numbers."""
    with tf.io.TFRecordWriter("volumes.tfrecord") as writer:
        for k, (a, b) in enumerate(_write_volumes(3)):
            volume = np.load(a)[: 4 + k]
            feature = {
                "volume": tf.train.Feature(bytes_list=tf.train.BytesList(value=[volume.tobytes()])),
                "shape": tf.train.Feature(int64_list=tf.train.Int64List(value=volume.shape)),
            }
            writer.write(
                tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
            )

    def parse(record):
        parsed = tf.io.parse_single_example(
            record,
            {
                "volume": tf.io.FixedLenFeature([], tf.string),
                "shape": tf.io.FixedLenFeature([3], tf.int64),
            },
        )
        volume = tf.io.decode_raw(parsed["volume"], out_type=tf.int16)
        volume = tf.reshape(volume, parsed["shape"])
        return tf.cast(volume, tf.float32) / 1000.0

    return (
        tf.data.TFRecordDataset("volumes.tfrecord")
        .map(parse)
        .padded_batch(3, [8, 7, 4], padding_values=-1.0)
    )


def pipeline_molecule_graphs():
    """Ragged atoms, bonds and pairs of molecules merged into one disconnected graph per batch."""
    atoms = tf.ragged.constant(
        [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0]], [[0.5, 0.5], [0.0, 0.0], [2.0, 2.0]]],
        ragged_rank=1,
    )
    bonds = tf.ragged.constant([[[1.0], [1.0]], [[0.0]], [[2.0], [2.0], [0.5]]], ragged_rank=1)
    pairs = tf.ragged.constant(
        [[[0, 1], [1, 0]], [[0, 0]], [[0, 1], [1, 2], [2, 0]]], ragged_rank=1, dtype=tf.int64
    )
    labels = [0.0, 1.0, 1.0]

    def prepare_batch(x_batch, y_batch):
        atom_features, bond_features, pair_indices = x_batch
        num_atoms = atom_features.row_lengths()
        num_bonds = bond_features.row_lengths()
        molecule_indices = tf.range(len(num_atoms))
        molecule_indicator = tf.repeat(molecule_indices, num_atoms)
        gather_indices = tf.repeat(molecule_indices[:-1], num_bonds[1:])
        increment = tf.cumsum(num_atoms[:-1])
        increment = tf.pad(tf.gather(increment, gather_indices), [(num_bonds[0], 0)])
        pair_indices = (
            pair_indices.merge_dims(outer_axis=0, inner_axis=1).to_tensor()
            if isinstance(pair_indices.merge_dims(outer_axis=0, inner_axis=1), tf.RaggedTensor)
            else pair_indices.merge_dims(outer_axis=0, inner_axis=1)
        )
        pair_indices = pair_indices + increment[:, tf.newaxis]
        atom_features = atom_features.merge_dims(outer_axis=0, inner_axis=1)
        bond_features = bond_features.merge_dims(outer_axis=0, inner_axis=1)
        return (atom_features, bond_features, pair_indices, molecule_indicator), y_batch

    dataset = tf.data.Dataset.from_tensor_slices(((atoms, bonds, pairs), labels))
    return dataset.batch(3).map(prepare_batch, -1).prefetch(-1)


def pipeline_neighbours():
    """Adjacency lists padded, segment sums of neighbours' features, degrees by bincount."""
    edges = tf.constant([[0, 1], [1, 2], [2, 0], [0, 3], [3, 1]])
    features = tf.constant(np.arange(8, dtype=np.float32).reshape(4, 2))
    ds = tf.data.Dataset.range(4, output_type=tf.int32)

    def gather_neighbours(node):
        mask = tf.equal(edges[:, 0], node)
        neighbours = tf.boolean_mask(edges[:, 1], mask)
        gathered = tf.gather(features, neighbours)
        mean = tf.reduce_mean(gathered, axis=0)
        return {"node": node, "neighbours": neighbours, "mean": mean, "degree": tf.size(neighbours)}

    total = tf.math.unsorted_segment_sum(
        tf.gather(features, edges[:, 0]), edges[:, 1], num_segments=4
    )
    sorted_sum = tf.math.segment_sum(features, [0, 0, 1, 1])
    return [
        total,
        sorted_sum,
        ds.map(gather_neighbours).padded_batch(
            2, padding_values={"node": None, "neighbours": -1, "mean": None, "degree": None}
        ),
    ]


def pipeline_adjacency_matrices():
    """Edges to dense adjacency with scatter_nd, identity added, rows normalized, eye and linalg."""
    edge_lists = tf.ragged.constant([[[0, 1], [1, 2]], [[2, 0]]], ragged_rank=1)
    ds = tf.data.Dataset.from_tensor_slices(edge_lists)

    def normalize(edges):
        ones = tf.ones(tf.shape(edges)[0])
        adjacency = tf.scatter_nd(edges, ones, shape=[3, 3])
        adjacency = adjacency + tf.transpose(adjacency) + tf.eye(3)
        degrees = tf.reduce_sum(adjacency, axis=1)
        scale = tf.linalg.diag(tf.math.rsqrt(degrees))
        return tf.matmul(tf.matmul(scale, adjacency), scale)

    return ds.map(normalize).batch(2)


def pipeline_protein_features():
    """Raw protein features: one-hot sequences, profiles by reduce_mean, crops with select_feat."""
    residues = "ARNDCQEGHILKMFPSTWYVX"
    sequences = ["MKV", "GAXLL"]
    alphabet = {r: i for i, r in enumerate(residues)}

    def make_sequence_features(sequence):
        ids = np.array([alphabet[r] for r in sequence], dtype=np.int32)
        num_res = len(sequence)
        features = {}
        features["aatype"] = np.eye(21, dtype=np.float32)[ids]
        features["between_segment_residues"] = np.zeros((num_res,), dtype=np.int32)
        features["residue_index"] = np.array(range(num_res), dtype=np.int32)
        features["seq_length"] = np.array([num_res] * num_res, dtype=np.int32)
        features["sequence"] = np.array([sequence.encode("utf-8")], dtype=object)
        features["msa"] = np.stack([ids, ids[::-1]])
        return features

    def squeeze_features(protein):
        protein = dict(protein)
        protein["aatype"] = tf.argmax(protein["aatype"], axis=-1, output_type=tf.int32)
        for k in ["sequence"]:
            protein[k] = (
                tf.squeeze(protein[k], axis=-1)
                if protein[k].shape.rank and protein[k].shape[-1] == 1
                else protein[k]
            )
        protein["seq_length"] = protein["seq_length"][0]
        return protein

    def make_profile(protein):
        protein["hhblits_profile"] = tf.reduce_mean(tf.one_hot(protein["msa"], 22), axis=0)
        protein["seq_mask"] = tf.ones(tf.shape(protein["aatype"]), dtype=tf.float32)
        return protein

    def crop(protein, size=4):
        for k in ("aatype", "residue_index", "seq_mask"):
            value = protein[k]
            protein[k] = tf.pad(value[:size], [[0, tf.maximum(size - tf.shape(value)[0], 0)]])
        return protein

    found = []
    for sequence in sequences:
        ds = tf.data.Dataset.from_tensors(make_sequence_features(sequence))
        for step in (squeeze_features, make_profile, crop):
            ds = ds.map(step)
        found.append(next(iter(ds)))
    return found


def pipeline_perceiver_inputs():
    """Fourier positions by linspace and meshgrid beside flattened pixels."""
    images = np.random.RandomState(0).randint(0, 255, (2, 4, 6, 3), dtype=np.uint8)

    def encode(image):
        image = tf.cast(image, tf.float32) * (2.0 / 255.0) - 1.0
        axes = [tf.linspace(-1.0, 1.0, n) for n in (4, 6)]
        grid = tf.stack(tf.meshgrid(*axes, indexing="ij"), axis=-1)
        bands = tf.linspace(1.0, 4.0, 3)
        angles = grid[..., tf.newaxis] * bands * np.pi
        encoded = tf.concat([tf.sin(angles), tf.cos(angles)], axis=-1)
        encoded = tf.reshape(encoded, [24, -1])
        return tf.concat([tf.reshape(image, [-1, 3]), encoded], axis=-1)

    return tf.data.Dataset.from_tensor_slices(images).map(encode).batch(2)
