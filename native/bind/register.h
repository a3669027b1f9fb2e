// register: one function per bind_<topic>.cpp; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

namespace feedline {

void register_box_muller(nanobind::module_& m);
void register_byte_images(nanobind::module_& m);
void register_color(nanobind::module_& m);
void register_csv(nanobind::module_& m);
void register_csv_table(nanobind::module_& m);
void register_example(nanobind::module_& m);
void register_exchange(nanobind::module_& m);
void register_hashes(nanobind::module_& m);
void register_image(nanobind::module_& m);
void register_jpeg(nanobind::module_& m);
void register_lines(nanobind::module_& m);
void register_messages(nanobind::module_& m);
void register_mix(nanobind::module_& m);
void register_numbers(nanobind::module_& m);
void register_permutation(nanobind::module_& m);
void register_philox(nanobind::module_& m);
void register_philox_rows(nanobind::module_& m);
void register_records_ahead(nanobind::module_& m);
void register_read_rows(nanobind::module_& m);
void register_row_cursor(nanobind::module_& m);
void register_rows(nanobind::module_& m);
void register_stack(nanobind::module_& m);
void register_tensor(nanobind::module_& m);
void register_texts(nanobind::module_& m);
void register_tfrecord(nanobind::module_& m);
void register_turns(nanobind::module_& m);

}  // namespace feedline
