"""Audio pipelines: speech commands, spectrograms, mel features, DeepSpeech and TTS inputs."""

import os

import numpy as np

from tests.realworld.library import tf


def _wave(seed, length, rate=8000):
    time = np.arange(length) / rate
    tone = np.sin(2 * np.pi * (220 + 110 * seed) * time) * 0.4
    return (tone + 0.1 * np.random.RandomState(seed).uniform(-1, 1, length)).astype(np.float32)


def _write_waves(names=("yes", "no"), each=3):
    """Write 16-bit mono WAV files by hand, as the command-word set has them."""
    for k, name in enumerate(names):
        os.makedirs(os.path.join("commands", name), exist_ok=True)
        for n in range(each):
            samples = (_wave(k * each + n, 700 + 100 * n) * 32767).astype("<i2").tobytes()
            header = b"RIFF" + np.uint32(36 + len(samples)).tobytes() + b"WAVEfmt "
            header += np.array([16], "<u4").tobytes() + np.array([1, 1], "<u2").tobytes()
            header += np.array([8000, 16000], "<u4").tobytes() + np.array([2, 16], "<u2").tobytes()
            with open(os.path.join("commands", name, f"{n}_nohash.wav"), "wb") as file:
                file.write(header + b"data" + np.uint32(len(samples)).tobytes() + samples)


def pipeline_command_words():
    """Files listed, labels by path, decode_wav, zeros appended, stft magnitudes, one more axis."""
    _write_waves()
    commands = np.array(sorted(tf.io.gfile.listdir("commands")))
    filenames = sorted(tf.io.gfile.glob("commands" + "/*/*"))
    AUTOTUNE = tf.data.AUTOTUNE

    def decode_audio(audio_binary):
        audio, _ = tf.audio.decode_wav(contents=audio_binary)
        return tf.squeeze(audio, axis=-1)

    def get_label(file_path):
        parts = tf.strings.split(input=file_path, sep=os.path.sep)
        return parts[-2]

    def get_waveform_and_label(file_path):
        label = get_label(file_path)
        audio_binary = tf.io.read_file(file_path)
        return decode_audio(audio_binary), label

    def get_spectrogram(waveform):
        input_len = 1000
        waveform = waveform[:input_len]
        zero_padding = tf.zeros([input_len] - tf.shape(waveform), dtype=tf.float32)
        waveform = tf.cast(waveform, dtype=tf.float32)
        equal_length = tf.concat([waveform, zero_padding], 0)
        spectrogram = tf.signal.stft(equal_length, frame_length=255, frame_step=128)
        spectrogram = tf.abs(spectrogram)
        return spectrogram[..., tf.newaxis]

    def get_spectrogram_and_label_id(audio, label):
        label_id = tf.argmax(label == commands)
        return get_spectrogram(audio), label_id

    files_ds = tf.data.Dataset.from_tensor_slices(filenames)
    waveform_ds = files_ds.map(map_func=get_waveform_and_label, num_parallel_calls=AUTOTUNE)
    printed = []
    for waveform, label in waveform_ds.take(2):
        printed.append((label.numpy().decode("utf-8"), str(waveform.shape), waveform.numpy()[:3]))
    spectrogram_ds = waveform_ds.map(
        map_func=get_spectrogram_and_label_id, num_parallel_calls=AUTOTUNE
    )
    return [printed, spectrogram_ds.batch(3).cache().prefetch(AUTOTUNE)]


def pipeline_audio_directory():
    """audio_dataset_from_directory, squeezed, sharded into validation and test."""
    _write_waves(each=4)
    train_ds, val_ds = tf.keras.utils.audio_dataset_from_directory(
        directory="commands",
        batch_size=2,
        validation_split=0.5,
        seed=0,
        output_sequence_length=800,
        subset="both",
    )
    label_names = np.array(train_ds.class_names)

    def squeeze(audio, labels):
        audio = tf.squeeze(audio, axis=-1)
        return audio, labels

    train_ds = train_ds.map(squeeze, tf.data.AUTOTUNE)
    val_ds = val_ds.map(squeeze, tf.data.AUTOTUNE)
    return [
        label_names,
        train_ds,
        val_ds.shard(num_shards=2, index=0),
        val_ds.shard(num_shards=2, index=1),
    ]


def pipeline_log_mel():
    """Magnitudes times a mel matrix, logs, MFCCs without the first, means normalized."""
    waves = np.stack([_wave(k, 1200) for k in range(3)])
    ds = tf.data.Dataset.from_tensor_slices(waves)

    def log_mel(wave):
        stfts = tf.signal.stft(wave, frame_length=256, frame_step=80, fft_length=256, pad_end=True)
        spectrograms = tf.abs(stfts)
        num_bins = stfts.shape[-1]
        matrix = tf.signal.linear_to_mel_weight_matrix(20, num_bins, 8000, 80.0, 3600.0)
        mel = tf.tensordot(spectrograms, matrix, 1)
        mel.set_shape(spectrograms.shape[:-1].concatenate(matrix.shape[-1:]))
        logs = tf.math.log(mel + 1e-6)
        mfccs = tf.signal.mfccs_from_log_mel_spectrograms(logs)[..., :13]
        return logs, mfccs, (logs - tf.reduce_mean(logs)) / tf.math.reduce_std(logs)

    return ds.map(log_mel)


def pipeline_speech_recognition_ctc():
    """Spectrograms with a power and mean and deviation by axis; characters by a lookup."""
    waves = [_wave(k, 600 + 50 * k) for k in range(4)]
    sentences = ["go on", "stop it now", "yes", "left or right"]
    ids = {char: i + 1 for i, char in enumerate("abcdefghijklmnopqrstuvwxyz'?! ")}
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(list(ids), list(ids.values())), default_value=0
    )

    def path_to_audio(k):
        wave = tf.numpy_function(lambda k: waves[k], [k], tf.float32)
        wave.set_shape([None])
        stfts = tf.signal.stft(wave, frame_length=200, frame_step=80, fft_length=256)
        x = tf.math.pow(tf.abs(stfts), 0.5)
        means = tf.math.reduce_mean(x, 1, keepdims=True)
        stddevs = tf.math.reduce_std(x, 1, keepdims=True)
        x = (x - means) / (stddevs + 1e-10)
        audio_len = tf.shape(x)[0]
        pad_len = 12
        paddings = tf.constant([[0, pad_len], [0, 0]])
        return tf.pad(x, paddings, "CONSTANT")[:pad_len, :]

    def text(line):
        return table.lookup(tf.strings.unicode_split(tf.strings.lower(line), "UTF-8"))

    audio_ds = tf.data.Dataset.range(4).map(path_to_audio, num_parallel_calls=tf.data.AUTOTUNE)
    text_ds = tf.data.Dataset.from_tensor_slices(sentences).map(text)
    ds = tf.data.Dataset.zip((audio_ds, text_ds))
    ds = ds.map(lambda x, y: {"source": x, "target": y})
    return ds.padded_batch(2).prefetch(tf.data.AUTOTUNE)


def pipeline_sparse_transcripts():
    """A generator of nested tuples, sparse tensors of transcripts, window and zip of padded batches."""
    texts = ["abc", "de", "fghij", "k", "lm"]

    def to_sparse_tuple(sequence):
        indices = np.asarray(list(zip([0] * len(sequence), range(len(sequence)))), dtype=np.int64)
        return indices, sequence, np.asarray([1, len(sequence)], dtype=np.int64)

    def generate_values():
        for k, text in enumerate(texts):
            codes = np.array([ord(c) - 97 for c in text], dtype=np.int32)
            yield f"sample-{k}", _wave(k, 300 + 40 * k), 8000, to_sparse_tuple(codes), k / 5

    def entry_to_features(sample_id, audio, sample_rate, transcript, clock):
        sparse_transcript = tf.SparseTensor(*transcript)
        frames = tf.signal.frame(audio, 64, 32)
        features = tf.reduce_max(tf.abs(frames), axis=-1, keepdims=True) * tf.cast(
            1 + clock, tf.float32
        )
        features = tf.reshape(features, [-1, 1])
        return sample_id, features, tf.shape(input=features)[0], sparse_transcript

    def sparse_reshape(sparse):
        shape = sparse.dense_shape
        return tf.sparse.reshape(sparse, [shape[0], shape[2]])

    def batch_fn(sample_ids, features, features_len, transcripts):
        features = tf.data.Dataset.zip((features, features_len))
        features = features.padded_batch(2, padded_shapes=([None, 1], []))
        transcripts = transcripts.batch(2).map(sparse_reshape)
        sample_ids = sample_ids.batch(2)
        return tf.data.Dataset.zip((sample_ids, features, transcripts))

    dataset = tf.data.Dataset.from_generator(
        generate_values,
        output_types=(tf.string, tf.float32, tf.int32, (tf.int64, tf.int32, tf.int64), tf.float64),
    )
    dataset = dataset.map(entry_to_features, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    dataset = dataset.window(2, drop_remainder=False).flat_map(batch_fn).prefetch(1)
    found = []
    for ids, (features, lengths), transcript in dataset:
        found.append((ids, features, lengths, tf.sparse.to_dense(transcript, default_value=-1)))
    return found


class _MelCharacters:
    """A class of a speech synthesizer: paths from a generator with args, np.load inside tf.function."""

    def __init__(self, files, reduction_factor=2):
        self.files = files
        self.reduction_factor = reduction_factor

    def get_args(self):
        return [[name for name, _, _ in self.files]]

    def generator(self, utt_ids):
        for i, utt_id in enumerate(utt_ids):
            yield {"utt_ids": utt_id, "mel_files": self.files[i][1], "char_files": self.files[i][2]}

    @tf.function
    def _load_data(self, items):
        mel = tf.numpy_function(np.load, [items["mel_files"]], tf.float32)
        characters = tf.numpy_function(np.load, [items["char_files"]], tf.int32)
        mel_length = len(mel)
        real_mel_length = mel_length
        remainder = mel_length % self.reduction_factor
        if remainder != 0:
            new_mel_length = mel_length + self.reduction_factor - remainder
            mel = tf.pad(mel, [[0, new_mel_length - mel_length], [0, 0]], constant_values=-4.0)
            mel_length = new_mel_length
        return {
            "utt_ids": items["utt_ids"],
            "input_ids": characters,
            "input_lengths": len(characters),
            "speaker_ids": 0,
            "mel_gts": mel,
            "mel_lengths": mel_length,
            "real_mel_lengths": real_mel_length,
        }

    def _guided_attention(self, items):
        items = items.copy()
        mel_len = items["mel_lengths"] // self.reduction_factor
        char_len = items["input_lengths"]
        xv, yv = tf.meshgrid(tf.range(char_len), tf.range(mel_len), indexing="ij")
        f32_matrix = tf.cast(yv / mel_len - xv / char_len, tf.float32)
        items["g_attentions"] = 1.0 - tf.math.exp(-(f32_matrix**2) / (2 * 0.2**2))
        return items

    def create(self, batch_size):
        types = {"utt_ids": tf.string, "mel_files": tf.string, "char_files": tf.string}
        datasets = tf.data.Dataset.from_generator(
            self.generator, output_types=types, args=(self.get_args())
        )
        datasets = datasets.map(lambda items: self._load_data(items), tf.data.experimental.AUTOTUNE)
        datasets = datasets.map(
            lambda items: self._guided_attention(items), tf.data.experimental.AUTOTUNE
        )
        datasets = datasets.filter(lambda x: x["mel_lengths"] > 4)
        datasets = datasets.cache().shuffle(len(self.files), seed=1, reshuffle_each_iteration=True)
        padding_values = {
            "utt_ids": " ",
            "input_ids": 0,
            "input_lengths": 0,
            "speaker_ids": 0,
            "mel_gts": -4.0,
            "mel_lengths": 0,
            "real_mel_lengths": 0,
            "g_attentions": -1.0,
        }
        padded_shapes = {
            "utt_ids": [],
            "input_ids": [None],
            "input_lengths": [],
            "speaker_ids": [],
            "mel_gts": [None, 5],
            "mel_lengths": [],
            "real_mel_lengths": [],
            "g_attentions": [None, None],
        }
        return datasets.padded_batch(
            batch_size,
            padded_shapes=padded_shapes,
            padding_values=padding_values,
            drop_remainder=True,
        ).prefetch(tf.data.experimental.AUTOTUNE)


def pipeline_speech_synthesis():
    files = []
    for k in range(5):
        rng = np.random.RandomState(k)
        np.save(f"{k}-mel.npy", rng.rand(4 + k, 5).astype(np.float32))
        np.save(f"{k}-ids.npy", rng.randint(1, 30, 3 + k % 3).astype(np.int32))
        files.append((f"utt-{k}", f"{k}-mel.npy", f"{k}-ids.npy"))
    dataset = _MelCharacters(files).create(batch_size=2)
    return [batch for batch in dataset]


def pipeline_noise_mixed_in():
    """Speaker recognition: noise scaled by the ratio of maxima, fft, half of the bins."""
    noises = tf.stack([_wave(40 + k, 256) for k in range(3)])
    audios = tf.data.Dataset.from_tensor_slices(
        np.stack([_wave(k, 256)[:, None] for k in range(5)])
    )
    labels = tf.data.Dataset.from_tensor_slices([0, 1, 2, 3, 4])

    def add_noise(audio, noises=None, scale=0.5):
        if noises is not None:
            tf_rnd = tf.constant([0, 2], tf.int32)
            noise = tf.gather(noises, tf_rnd[: tf.shape(audio)[0]], axis=0)
            prop = (
                tf.math.reduce_max(audio, axis=1) / tf.math.reduce_max(noise, axis=1)[:, tf.newaxis]
            )
            prop = tf.repeat(tf.expand_dims(prop, axis=1), tf.shape(audio)[1], axis=1)
            audio = audio + noise[..., tf.newaxis] * prop * scale
        return audio

    def audio_to_fft(audio):
        audio = tf.squeeze(audio, axis=-1)
        fft = tf.signal.fft(
            tf.cast(tf.complex(real=audio, imag=tf.zeros_like(audio)), tf.complex64)
        )
        fft = tf.expand_dims(fft, axis=-1)
        return tf.math.abs(fft[:, : (audio.shape[1] // 2), :])

    ds = tf.data.Dataset.zip((audios, labels)).batch(2)
    ds = ds.map(lambda x, y: (add_noise(x, noises, scale=0.5), y))
    return ds.map(lambda x, y: (audio_to_fft(x), y), num_parallel_calls=tf.data.AUTOTUNE)


def pipeline_frames_of_energy():
    """Windows of a stream by frame, hann and hamming windows, energies in decibels."""
    stream = tf.data.Dataset.from_tensors(_wave(3, 2000))

    def features(wave):
        frames = tf.signal.frame(wave, frame_length=200, frame_step=100, pad_end=True, pad_value=0)
        window = tf.signal.hann_window(200, periodic=True)
        hamming = tf.signal.hamming_window(200)
        power = tf.square(tf.abs(tf.signal.rfft(frames * window, fft_length=[256])))
        energy = 10.0 * tf.math.log(tf.reduce_sum(power, -1) + 1e-9) / tf.math.log(10.0)
        return energy, tf.reduce_mean(frames * hamming, -1), tf.shape(power)

    return stream.map(features)


def pipeline_wav_in_records():
    """PCM in Examples, decode_raw of int16, a fixed crop by padding, normalization in tf.where."""
    with tf.io.TFRecordWriter("pcm.tfrecord") as writer:
        for k in range(4):
            pcm = (_wave(k, 150 + 60 * k) * 32767).astype("<i2")
            feature = {
                "audio": tf.train.Feature(bytes_list=tf.train.BytesList(value=[pcm.tobytes()])),
                "length": tf.train.Feature(int64_list=tf.train.Int64List(value=[len(pcm)])),
            }
            writer.write(
                tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
            )
    spec = {
        "audio": tf.io.FixedLenFeature([], tf.string),
        "length": tf.io.FixedLenFeature((), tf.int64),
    }

    def parse(serialized):
        parsed = tf.io.parse_single_example(serialized, spec)
        audio = tf.io.decode_raw(parsed["audio"], tf.int16)
        audio = tf.cast(audio, tf.float32) / float(tf.int16.max)
        missing = tf.maximum(256 - tf.shape(audio)[0], 0)
        audio = tf.pad(audio, [[missing // 2, missing - missing // 2]])[:256]
        peak = tf.reduce_max(tf.abs(audio))
        audio = tf.where(peak > 0, audio / peak, audio)
        return tf.ensure_shape(audio, [256]), tf.cast(parsed["length"], tf.int32)

    return tf.data.TFRecordDataset(["pcm.tfrecord"]).map(parse).batch(4)


def pipeline_wav_round_trip():
    wave = _wave(2, 300)[:, np.newaxis]
    encoded = tf.audio.encode_wav(wave, sample_rate=8000)
    ds = tf.data.Dataset.from_tensors(encoded).map(
        lambda data: tf.audio.decode_wav(data, desired_channels=1, desired_samples=320)
    )
    audio, rate = next(iter(ds))
    return [audio, rate, tf.strings.length(encoded)]


def pipeline_spec_augment():
    """Time and frequency masks by ranges and logical operators at fixed places."""
    mel = np.random.RandomState(2).rand(4, 12, 6).astype(np.float32)

    def mask(spectrogram, number):
        start = number * 2
        steps = tf.range(tf.shape(spectrogram)[0])
        bins = tf.range(spectrogram.shape[-1])
        time_mask = tf.logical_or(steps < start, steps >= start + 3)
        bin_mask = tf.math.logical_not((bins >= number) & (bins < number + 2))
        masked = spectrogram * tf.cast(time_mask[:, None], spectrogram.dtype)
        return masked * tf.cast(tf.expand_dims(bin_mask, 0), tf.float32)

    ds = tf.data.Dataset.zip(
        (tf.data.Dataset.from_tensor_slices(mel), tf.data.Dataset.range(4, output_type=tf.int32))
    )
    return ds.map(mask).map(lambda x: tf.transpose(x, [1, 0])).batch(4)
