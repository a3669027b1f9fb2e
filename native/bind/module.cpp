// module: feedline._native.
#include "bind/register.h"

NB_MODULE(_native, m) {
  // What a daemon thread holds when the program ends is no leak.
  nanobind::set_leak_warnings(false);
  m.doc() =
      "The compiled kernels. Each has a Python twin in feedline/kernels/ that says what it does.";
  feedline::register_box_muller(m);
  feedline::register_byte_images(m);
  feedline::register_color(m);
  feedline::register_csv(m);
  feedline::register_csv_table(m);
  feedline::register_example(m);
  feedline::register_exchange(m);
  feedline::register_hashes(m);
  feedline::register_image(m);
  feedline::register_jpeg(m);
  feedline::register_lines(m);
  feedline::register_messages(m);
  feedline::register_mix(m);
  feedline::register_numbers(m);
  feedline::register_permutation(m);
  feedline::register_philox(m);
  feedline::register_philox_rows(m);
  feedline::register_records_ahead(m);
  feedline::register_read_rows(m);
  feedline::register_row_cursor(m);
  feedline::register_rows(m);
  feedline::register_stack(m);
  feedline::register_tensor(m);
  feedline::register_texts(m);
  feedline::register_tfrecord(m);
  feedline::register_turns(m);
}
