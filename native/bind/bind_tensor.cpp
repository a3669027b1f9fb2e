// tensor: the types from which tensors are derived: arrays and single numbers whose operators,
// items and NumPy results are tensors again.
//
// Written against Python's own interface: an operator must cost next to nothing beside NumPy's.
#include <array>
#include <cstddef>
#include <cstring>

#include "bind/register.h"

namespace feedline {
namespace {

namespace nb = nanobind;

// One of NumPy's types of single numbers, and the tensor type derived from it.
struct Number {
  PyTypeObject* base = nullptr;
  PyTypeObject* ours = nullptr;
  PyObject* dtype = nullptr;
  Py_ssize_t size = 0;  // of what follows the head of an object
  bool is_truth = false;
};

constexpr Py_ssize_t kHead = sizeof(PyObject);
constexpr std::size_t kMost = 32;

// Filled once, by set_types(), before any tensor exists.
struct Types {
  std::array<Number, kMost> numbers;
  std::size_t count = 0;
  PyTypeObject* array = nullptr;   // np.ndarray
  PyTypeObject* tensor = nullptr;  // the class of tensors with axes
  PyTypeObject* generic = nullptr;
  PyObject* dtype_of = nullptr;    // the descriptor np.ndarray.dtype
  PyObject* view = nullptr;        // np.ndarray.view
  PyObject* array_function = nullptr;
  PyObject* strings = nullptr;     // the dtype of strings
  PyObject* floats = nullptr;      // a frozenset of dtypes that division keeps
  PyObject* beside = nullptr;      // (a, b) -> operands with TensorFlow's dtypes
  PyObject* divided = nullptr;     // (a, b) -> a / b with TensorFlow's dtype
  PyObject* compared = nullptr;    // (a, b, is_equal) -> strings compared
  PyObject* joined = nullptr;      // (a, b) -> strings joined
  PyTypeObject* bytes = nullptr;
  PyTypeObject* text = nullptr;
  bool is_same_layout = false;  // of arrays and tensors: one may become the other
};

Types types;

const Number* number_of_ours(PyTypeObject* type) {
  for (std::size_t i = 0; i < types.count; ++i) {
    if (types.numbers[i].ours == type) return &types.numbers[i];
  }
  return nullptr;
}

const Number* number_of_base(PyTypeObject* type) {
  for (std::size_t i = 0; i < types.count; ++i) {
    if (types.numbers[i].base == type) return &types.numbers[i];
  }
  return nullptr;
}

char* value_of(PyObject* number) { return reinterpret_cast<char*>(number) + kHead; }

PyObject* copied(PyObject* number, PyTypeObject* type, Py_ssize_t size) {
  PyObject* const made = type->tp_alloc(type, 0);
  if (made != nullptr) std::memcpy(value_of(made), value_of(number), static_cast<std::size_t>(size));
  return made;
}

// A byte string as a tensor: what bytes.__new__ does for a derived class, without its calls.
PyObject* bytes_tensor(PyObject* value) {
  const Py_ssize_t size = PyBytes_GET_SIZE(value);
  PyObject* const made = types.bytes->tp_alloc(types.bytes, size);
  if (made == nullptr) return nullptr;
  // The hash of the bytes, known or not, is that of the tensor.
  const std::size_t head = offsetof(PyBytesObject, ob_shash);
  std::memcpy(reinterpret_cast<char*>(made) + head, reinterpret_cast<char*>(value) + head,
              offsetof(PyBytesObject, ob_sval) - head + static_cast<std::size_t>(size) + 1);
  return made;
}

// A value as a tensor; takes over the reference. What is no number, array or string stays.
PyObject* as_tensor(PyObject* value) {
  if (value == nullptr || types.tensor == nullptr) return value;
  PyTypeObject* const type = Py_TYPE(value);
  PyObject* made = nullptr;
  if (type == types.array) {
    if (Py_REFCNT(value) == 1 && types.is_same_layout) {  // nobody else knows the array
      Py_INCREF(types.tensor);
      Py_SET_TYPE(value, types.tensor);
      return value;
    }
    PyObject* args[] = {value, reinterpret_cast<PyObject*>(types.tensor)};
    made = PyObject_Vectorcall(types.view, args, 2, nullptr);
  } else if (const Number* number = number_of_base(type)) {
    made = copied(value, number->ours, number->size);
  } else if (type == &PyBytes_Type) {
    made = bytes_tensor(value);
  } else if (type == &PyUnicode_Type) {
    made = PyObject_CallOneArg(reinterpret_cast<PyObject*>(types.text), value);
  } else {
    return value;
  }
  Py_DECREF(value);
  return made;
}

// The same for a result of NumPy's functions, which may be several in a tuple or list.
PyObject* as_tensors(PyObject* value) {
  if (value == nullptr) return nullptr;
  if (PyTuple_CheckExact(value) && PyTuple_GET_SIZE(value) > 0) {
    PyObject* const made = PyTuple_New(PyTuple_GET_SIZE(value));
    for (Py_ssize_t i = 0; made != nullptr && i < PyTuple_GET_SIZE(value); ++i) {
      PyObject* const item = as_tensors(Py_NewRef(PyTuple_GET_ITEM(value, i)));
      if (item == nullptr) {
        Py_DECREF(made);
        Py_DECREF(value);
        return nullptr;
      }
      PyTuple_SET_ITEM(made, i, item);
    }
    Py_DECREF(value);
    return made;
  }
  if (PyList_CheckExact(value)) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value); ++i) {
      PyObject* const item = as_tensors(Py_NewRef(PyList_GET_ITEM(value, i)));
      if (item == nullptr || PyList_SetItem(value, i, item) < 0) {
        Py_DECREF(value);
        return nullptr;
      }
    }
    return value;
  }
  return PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) ? value : as_tensor(value);
}

// A number of ours as NumPy's own; anything else as it is. A new reference.
PyObject* as_plain(PyObject* value) {
  const Number* const number = number_of_ours(Py_TYPE(value));
  if (number == nullptr) return Py_NewRef(value);
  // NumPy compares truth values by identity: there are two of them.
  if (number->is_truth) {
    PyObject* const truth = PyBool_FromLong(*value_of(value));
    PyObject* const made =
        PyObject_CallOneArg(reinterpret_cast<PyObject*>(number->base), truth);
    Py_DECREF(truth);
    return made;
  }
  return copied(value, number->base, number->size);
}

PyObject* dtype_of(PyObject* array) {  // of an array of any class, whatever that class says
  return Py_TYPE(types.dtype_of)
      ->tp_descr_get(types.dtype_of, array, reinterpret_cast<PyObject*>(Py_TYPE(array)));
}

bool is_array(PyObject* value) { return PyObject_TypeCheck(value, types.array); }
bool is_tensor_array(PyObject* value) { return PyObject_TypeCheck(value, types.tensor); }

bool is_tensor(PyObject* value) {
  return is_tensor_array(value) || number_of_ours(Py_TYPE(value)) != nullptr;
}

// Whether an operand of a tensor needs no thought: another tensor, or a number of Python's.
bool is_simple(PyObject* value) {
  return PyLong_CheckExact(value) || PyFloat_CheckExact(value) || PyBool_Check(value) ||
         Py_TYPE(value) == types.tensor || number_of_ours(Py_TYPE(value)) != nullptr;
}

// Whether an operand takes the dtype of the tensor beside it.
bool gives_way(PyObject* value) {
  return is_array(value) || PyObject_TypeCheck(value, types.generic) || PyList_CheckExact(value) ||
         PyTuple_CheckExact(value);
}

// NumPy's dtype of an array or number; not a new reference, as built-in dtypes live for ever.
PyObject* known_dtype(PyObject* value) {
  if (is_array(value)) {
    PyObject* const dtype = dtype_of(value);
    Py_XDECREF(dtype);
    return dtype;
  }
  const Number* number = number_of_ours(Py_TYPE(value));
  if (number == nullptr) number = number_of_base(Py_TYPE(value));
  return number == nullptr ? nullptr : number->dtype;
}

bool has_dtype_of(PyObject* value, PyObject* tensor) {
  PyObject* const dtype = known_dtype(value);
  return dtype != nullptr && dtype == known_dtype(tensor);
}

struct Pair {
  PyObject* a = nullptr;
  PyObject* b = nullptr;
  ~Pair() {
    Py_XDECREF(a);
    Py_XDECREF(b);
  }
};

// The operands as TensorFlow takes them: what is no tensor gets the dtype of the tensor.
bool find_operands(PyObject* a, PyObject* b, Pair& out) {
  PyObject* const tensor = is_tensor(a) ? a : b;
  PyObject* const other = tensor == a ? b : a;
  if (is_simple(other) || has_dtype_of(other, tensor) || !gives_way(other)) {
    out.a = Py_NewRef(a);
    out.b = Py_NewRef(b);
    return true;
  }
  PyObject* args[] = {a, b};
  PyObject* const pair = PyObject_Vectorcall(types.beside, args, 2, nullptr);
  if (pair == nullptr) return false;
  out.a = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
  out.b = Py_NewRef(PyTuple_GET_ITEM(pair, 1));
  Py_DECREF(pair);
  return true;
}

bool is_text(PyObject* value) { return PyUnicode_Check(value) || PyBytes_Check(value); }

bool holds_strings(PyObject* value) {
  if (!is_array(value)) return false;
  PyObject* const dtype = dtype_of(value);
  const bool found = dtype == types.strings;
  Py_XDECREF(dtype);
  return found;
}

// ---- tensors with axes: NumPy's own operators, on the operands that TensorFlow would take -----

using Binary = binaryfunc PyNumberMethods::*;

// A tensor as NumPy's own array, which costs NumPy less to calculate with: a new reference.
PyObject* as_array(PyObject* value) {
  if (!is_tensor_array(value)) return Py_NewRef(value);
  PyObject* args[] = {value, reinterpret_cast<PyObject*>(types.array)};
  return PyObject_Vectorcall(types.view, args, 2, nullptr);
}

bool find_arrays(PyObject* a, PyObject* b, Pair& out) {
  Pair pair;
  if (!find_operands(a, b, pair)) return false;
  out.a = as_array(pair.a);
  out.b = as_array(pair.b);
  return out.a != nullptr && out.b != nullptr;
}

template <Binary Slot>
PyObject* array_binary(PyObject* a, PyObject* b) {
  Pair pair;
  if (!find_arrays(a, b, pair)) return nullptr;
  return as_tensor((types.array->tp_as_number->*Slot)(pair.a, pair.b));
}

PyObject* array_add(PyObject* a, PyObject* b) {
  if (holds_strings(a) || holds_strings(b)) {
    PyObject* args[] = {a, b};
    return as_tensor(PyObject_Vectorcall(types.joined, args, 2, nullptr));
  }
  return array_binary<&PyNumberMethods::nb_add>(a, b);
}

PyObject* array_power(PyObject* a, PyObject* b, PyObject* modulus) {
  Pair pair;
  if (!find_arrays(a, b, pair)) return nullptr;
  return as_tensor(types.array->tp_as_number->nb_power(pair.a, pair.b, modulus));
}

// Whether the quotient of a tensor has its own dtype.
bool keeps_dtype(PyObject* tensor) {
  if (!is_array(tensor)) {
    const Number* const number = number_of_ours(Py_TYPE(tensor));
    return number != nullptr && PySet_Contains(types.floats, reinterpret_cast<PyObject*>(number->base)) == 1;
  }
  PyObject* const dtype = dtype_of(tensor);
  const bool found = dtype != nullptr && PySet_Contains(types.floats, dtype) == 1;
  Py_XDECREF(dtype);
  return found;
}

PyObject* array_divide(PyObject* a, PyObject* b) {
  if (keeps_dtype(is_tensor(a) ? a : b)) return array_binary<&PyNumberMethods::nb_true_divide>(a, b);
  PyObject* args[] = {a, b};
  return as_tensor(PyObject_Vectorcall(types.divided, args, 2, nullptr));
}

template <unaryfunc PyNumberMethods::*Slot>
PyObject* array_unary(PyObject* a) {
  PyObject* const array = as_array(a);
  if (array == nullptr) return nullptr;
  PyObject* const made = (types.array->tp_as_number->*Slot)(array);
  Py_DECREF(array);
  return as_tensor(made);
}

// In place where NumPy can, as a new tensor where it cannot: TensorFlow always makes a new one.
template <Binary Slot, PyObject* (*Plain)(PyObject*, PyObject*)>
PyObject* array_in_place(PyObject* a, PyObject* b) {
  PyObject* const made = (types.array->tp_as_number->*Slot)(a, b);
  if (made != nullptr || !(PyErr_ExceptionMatches(PyExc_TypeError) ||
                           PyErr_ExceptionMatches(PyExc_ValueError))) {
    return made;
  }
  PyErr_Clear();
  return Plain(a, b);
}

PyObject* array_compare(PyObject* a, PyObject* b, int op) {
  if (b == Py_None && (op == Py_EQ || op == Py_NE)) return Py_NewRef(op == Py_EQ ? Py_False : Py_True);
  if ((op == Py_EQ || op == Py_NE) && (holds_strings(a) || holds_strings(b) || is_text(b))) {
    PyObject* args[] = {a, b, op == Py_EQ ? Py_True : Py_False};
    return as_tensor(PyObject_Vectorcall(types.compared, args, 3, nullptr));
  }
  Pair pair;
  if (!find_arrays(a, b, pair)) return nullptr;
  return as_tensor(types.array->tp_richcompare(pair.a, pair.b, op));
}

PyObject* array_item(PyObject* self, Py_ssize_t i) {
  return as_tensor(types.array->tp_as_sequence->sq_item(self, i));
}

// Whether a list says what to do with one axis after the other, as TensorFlow takes it.
bool is_list_of_slices(PyObject* key) {
  if (!PyList_CheckExact(key)) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(key); ++i) {
    PyObject* const item = PyList_GET_ITEM(key, i);
    if (PySlice_Check(item) || item == Py_None || item == Py_Ellipsis) return true;
  }
  return false;
}

PyObject* array_subscript(PyObject* self, PyObject* key) {
  if (!is_list_of_slices(key)) return as_tensor(types.array->tp_as_mapping->mp_subscript(self, key));
  PyObject* const keys = PyList_AsTuple(key);
  if (keys == nullptr) return nullptr;
  PyObject* const found = types.array->tp_as_mapping->mp_subscript(self, keys);
  Py_DECREF(keys);
  return as_tensor(found);
}

Py_hash_t array_hash(PyObject* self) {
  if (PyObject_Size(self) < 0) {  // a tensor without axes, as a number
    PyErr_Clear();
    PyObject* const item = PyObject_CallMethod(self, "item", nullptr);
    if (item == nullptr) return -1;
    const Py_hash_t found = PyObject_Hash(item);
    Py_DECREF(item);
    return found;
  }
  PyErr_SetString(PyExc_TypeError,
                  "a tensor with axes is unhashable: use tensor.ref() as the key");
  return -1;
}

// What a ufunc made, as a tensor: arrays of this class already are, but for those without axes.
PyObject* array_wrap(PyObject*, PyObject* const* args, Py_ssize_t count) {
  PyObject* const array = count > 0 ? args[0] : Py_None;
  if (count > 2 && PyObject_IsTrue(args[2]) == 1) {
    PyObject* const nowhere = PyTuple_New(0);
    PyObject* const item = types.array->tp_as_mapping->mp_subscript(array, nowhere);
    Py_DECREF(nowhere);
    return as_tensor(item);
  }
  return as_tensor(Py_NewRef(array));
}

// An argument of a NumPy function without tensors: NumPy's own functions expect NumPy's dtypes of
// what they calculate in between. A new reference.
PyObject* without_tensors(PyObject* value) {
  if (is_tensor_array(value)) {
    PyObject* args[] = {value, reinterpret_cast<PyObject*>(types.array)};
    return PyObject_Vectorcall(types.view, args, 2, nullptr);
  }
  if (PyTuple_CheckExact(value) || PyList_CheckExact(value)) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
    PyObject* const made = PyTuple_CheckExact(value) ? PyTuple_New(count) : PyList_New(count);
    for (Py_ssize_t i = 0; made != nullptr && i < count; ++i) {
      PyObject* const item = without_tensors(PySequence_Fast_GET_ITEM(value, i));
      if (item == nullptr) {
        Py_DECREF(made);
        return nullptr;
      }
      if (PyTuple_CheckExact(value)) {
        PyTuple_SET_ITEM(made, i, item);
      } else {
        PyList_SET_ITEM(made, i, item);
      }
    }
    return made;
  }
  return as_plain(value);
}

PyObject* names_without_tensors(PyObject* named) {
  PyObject* const made = PyDict_New();
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t place = 0;
  while (made != nullptr && PyDict_Next(named, &place, &key, &value)) {
    PyObject* const plain = without_tensors(value);
    if (plain == nullptr || PyDict_SetItem(made, key, plain) < 0) {
      Py_XDECREF(plain);
      Py_DECREF(made);
      return nullptr;
    }
    Py_DECREF(plain);
  }
  return made;
}

PyObject* call_array_function(PyObject* self, PyObject* args, PyObject* kwargs) {
  // (func, types, args, kwargs): what NumPy does for its own arrays.
  PyObject* const func = PyTuple_GetItem(args, 0);
  PyObject* const inner = PyTuple_GetItem(args, 2);
  PyObject* const named = PyTuple_GetItem(args, 3);
  (void)self;
  (void)kwargs;
  if (func == nullptr || inner == nullptr || named == nullptr) return nullptr;
  PyObject* const others = PyTuple_GetItem(args, 1);
  PyObject* const fast = PySequence_Fast(others, "types must be a sequence");
  if (fast == nullptr) return nullptr;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); ++i) {
    PyObject* const type = PySequence_Fast_GET_ITEM(fast, i);
    auto* const one = reinterpret_cast<PyTypeObject*>(type);
    if (one != types.array && !PyType_IsSubtype(one, types.tensor) && number_of_ours(one) == nullptr) {
      Py_DECREF(fast);
      Py_RETURN_NOTIMPLEMENTED;
    }
  }
  Py_DECREF(fast);
  PyObject* const call = PyObject_GetAttrString(func, "_implementation");
  if (call == nullptr) return nullptr;
  Pair plain;
  plain.a = without_tensors(inner);
  plain.b = plain.a == nullptr ? nullptr : names_without_tensors(named);
  PyObject* const made = plain.b == nullptr ? nullptr : PyObject_Call(call, plain.a, plain.b);
  Py_DECREF(call);
  return as_tensors(made);
}

// ---- single numbers: NumPy's own numbers are calculated with ------------------------------------

template <PyObject* (*Call)(PyObject*, PyObject*)>
PyObject* number_binary(PyObject* a, PyObject* b) {
  Pair pair;
  if (!find_operands(a, b, pair)) return nullptr;
  Pair plain;
  plain.a = as_plain(pair.a);
  plain.b = as_plain(pair.b);
  if (plain.a == nullptr || plain.b == nullptr) return nullptr;
  return as_tensors(Call(plain.a, plain.b));  // divmod() makes two
}

PyObject* number_divide(PyObject* a, PyObject* b) {
  PyObject* const ours = is_tensor(a) ? a : b;
  if (keeps_dtype(ours)) return number_binary<PyNumber_TrueDivide>(a, b);
  PyObject* args[] = {a, b};
  return as_tensor(PyObject_Vectorcall(types.divided, args, 2, nullptr));
}

PyObject* number_power(PyObject* a, PyObject* b, PyObject* modulus) {
  Pair pair;
  if (!find_operands(a, b, pair)) return nullptr;
  Pair plain;
  plain.a = as_plain(pair.a);
  plain.b = as_plain(pair.b);
  if (plain.a == nullptr || plain.b == nullptr) return nullptr;
  return as_tensor(PyNumber_Power(plain.a, plain.b, modulus));
}

template <PyObject* (*Call)(PyObject*)>
PyObject* number_unary(PyObject* a) {
  PyObject* const plain = as_plain(a);
  if (plain == nullptr) return nullptr;
  PyObject* const made = Call(plain);
  Py_DECREF(plain);
  return as_tensor(made);
}

// Python's own numbers of one of ours: not tensors.
template <PyObject* (*Call)(PyObject*)>
PyObject* number_as(PyObject* a) {
  PyObject* const plain = as_plain(a);
  if (plain == nullptr) return nullptr;
  PyObject* const made = Call(plain);
  Py_DECREF(plain);
  return made;
}

int number_truth(PyObject* a) {
  PyObject* const plain = as_plain(a);
  if (plain == nullptr) return -1;
  const int found = PyObject_IsTrue(plain);
  Py_DECREF(plain);
  return found;
}

Py_hash_t number_hash(PyObject* a) {
  PyObject* const plain = as_plain(a);
  if (plain == nullptr) return -1;
  const Py_hash_t found = PyObject_Hash(plain);
  Py_DECREF(plain);
  return found;
}

PyObject* number_compare(PyObject* a, PyObject* b, int op) {
  if (b == Py_None && (op == Py_EQ || op == Py_NE)) return Py_NewRef(op == Py_EQ ? Py_False : Py_True);
  Pair pair;
  if (!find_operands(a, b, pair)) return nullptr;
  Pair plain;
  plain.a = as_plain(pair.a);
  plain.b = as_plain(pair.b);
  if (plain.a == nullptr || plain.b == nullptr) return nullptr;
  return as_tensor(PyObject_RichCompare(plain.a, plain.b, op));
}

// As a mapping alone, as NumPy's numbers are: NumPy takes what has items by number for a sequence.
PyObject* number_subscript(PyObject* a, PyObject* key) {
  PyObject* const plain = as_plain(a);
  if (plain == nullptr) return nullptr;
  PyObject* const made = PyObject_GetItem(plain, key);
  Py_DECREF(plain);
  return as_tensor(made);
}

// A ufunc of numbers of ours: the same of NumPy's numbers, as a tensor.
PyObject* number_ufunc(PyObject*, PyObject* args, PyObject* kwargs) {
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  PyObject* const inputs = PyTuple_New(count - 2);
  if (inputs == nullptr) return nullptr;
  for (Py_ssize_t i = 2; i < count; ++i) {
    PyObject* const input = as_plain(PyTuple_GET_ITEM(args, i));
    if (input == nullptr) {
      Py_DECREF(inputs);
      return nullptr;
    }
    PyTuple_SET_ITEM(inputs, i - 2, input);
  }
  PyObject* const method = PyObject_GetAttr(PyTuple_GET_ITEM(args, 0), PyTuple_GET_ITEM(args, 1));
  PyObject* const made = method == nullptr ? nullptr : PyObject_Call(method, inputs, kwargs);
  Py_XDECREF(method);
  Py_DECREF(inputs);
  return as_tensors(made);
}

PyObject* number_plain(PyObject* self, PyObject*) { return as_plain(self); }

PyMethodDef array_methods[] = {
    {"__array_wrap__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(array_wrap)),
     METH_FASTCALL, "Return what a ufunc made as a tensor."},
    {"__array_function__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_array_function)),
     METH_VARARGS | METH_KEYWORDS, "Return what a function of NumPy's made as tensors."},
    {nullptr, nullptr, 0, nullptr},
};

PyMethodDef number_methods[] = {
    {"__array_ufunc__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(number_ufunc)),
     METH_VARARGS | METH_KEYWORDS, "Return what a ufunc made as a tensor."},
    {"__array_function__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_array_function)),
     METH_VARARGS | METH_KEYWORDS, "Return what a function of NumPy's made as tensors."},
    {"_plain", number_plain, METH_NOARGS, "Return NumPy's own number."},
    {nullptr, nullptr, 0, nullptr},
};

template <class F>
void* slot(F* function) {
  return reinterpret_cast<void*>(function);
}

using N = PyNumberMethods;

PyType_Slot array_slots[] = {
    {Py_tp_doc, const_cast<char*>("An array whose items and results are tensors.")},
    {Py_tp_methods, array_methods},
    {Py_tp_richcompare, slot(array_compare)},
    {Py_tp_hash, slot(array_hash)},
    {Py_sq_item, slot(array_item)},
    {Py_mp_subscript, slot(array_subscript)},
    {Py_nb_add, slot(array_add)},
    {Py_nb_subtract, slot(array_binary<&N::nb_subtract>)},
    {Py_nb_multiply, slot(array_binary<&N::nb_multiply>)},
    {Py_nb_remainder, slot(array_binary<&N::nb_remainder>)},
    {Py_nb_floor_divide, slot(array_binary<&N::nb_floor_divide>)},
    {Py_nb_true_divide, slot(array_divide)},
    {Py_nb_matrix_multiply, slot(array_binary<&N::nb_matrix_multiply>)},
    {Py_nb_power, slot(array_power)},
    {Py_nb_lshift, slot(array_binary<&N::nb_lshift>)},
    {Py_nb_rshift, slot(array_binary<&N::nb_rshift>)},
    {Py_nb_and, slot(array_binary<&N::nb_and>)},
    {Py_nb_or, slot(array_binary<&N::nb_or>)},
    {Py_nb_xor, slot(array_binary<&N::nb_xor>)},
    {Py_nb_negative, slot(array_unary<&N::nb_negative>)},
    {Py_nb_positive, slot(array_unary<&N::nb_positive>)},
    {Py_nb_absolute, slot(array_unary<&N::nb_absolute>)},
    {Py_nb_invert, slot(array_unary<&N::nb_invert>)},
    {Py_nb_inplace_add, slot(array_in_place<&N::nb_inplace_add, array_add>)},
    {Py_nb_inplace_subtract,
     slot(array_in_place<&N::nb_inplace_subtract, array_binary<&N::nb_subtract>>)},
    {Py_nb_inplace_multiply,
     slot(array_in_place<&N::nb_inplace_multiply, array_binary<&N::nb_multiply>>)},
    {Py_nb_inplace_true_divide, slot(array_in_place<&N::nb_inplace_true_divide, array_divide>)},
    {0, nullptr},
};

PyType_Slot number_slots[] = {
    {Py_tp_doc, const_cast<char*>("A number whose results are tensors.")},
    {Py_tp_methods, number_methods},
    {Py_tp_richcompare, slot(number_compare)},
    {Py_tp_hash, slot(number_hash)},
    {Py_tp_repr, slot(number_as<PyObject_Repr>)},
    {Py_tp_str, slot(number_as<PyObject_Str>)},
    {Py_mp_subscript, slot(number_subscript)},
    {Py_nb_bool, slot(number_truth)},
    {Py_nb_add, slot(number_binary<PyNumber_Add>)},
    {Py_nb_subtract, slot(number_binary<PyNumber_Subtract>)},
    {Py_nb_multiply, slot(number_binary<PyNumber_Multiply>)},
    {Py_nb_remainder, slot(number_binary<PyNumber_Remainder>)},
    {Py_nb_divmod, slot(number_binary<PyNumber_Divmod>)},
    {Py_nb_floor_divide, slot(number_binary<PyNumber_FloorDivide>)},
    {Py_nb_true_divide, slot(number_divide)},
    {Py_nb_power, slot(number_power)},
    {Py_nb_lshift, slot(number_binary<PyNumber_Lshift>)},
    {Py_nb_rshift, slot(number_binary<PyNumber_Rshift>)},
    {Py_nb_and, slot(number_binary<PyNumber_And>)},
    {Py_nb_or, slot(number_binary<PyNumber_Or>)},
    {Py_nb_xor, slot(number_binary<PyNumber_Xor>)},
    {Py_nb_negative, slot(number_unary<PyNumber_Negative>)},
    {Py_nb_positive, slot(number_unary<PyNumber_Positive>)},
    {Py_nb_absolute, slot(number_unary<PyNumber_Absolute>)},
    {Py_nb_invert, slot(number_unary<PyNumber_Invert>)},
    {0, nullptr},
};

nb::object derived(PyTypeObject* base, const char* name, PyType_Slot* slots) {
  PyType_Spec spec = {name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  const nb::object bases = nb::make_tuple(nb::borrow(reinterpret_cast<PyObject*>(base)));
  nb::object made = nb::steal(PyType_FromSpecWithBases(&spec, bases.ptr()));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

PyTypeObject* type_in(nb::handle found) { return reinterpret_cast<PyTypeObject*>(found.ptr()); }

nb::object array_base(nb::type_object array) {
  types.array = type_in(array);
  Py_INCREF(array.ptr());
  return derived(types.array, "feedline._native.ArrayBase", array_slots);
}

nb::object number_base(nb::type_object number) {
  return derived(type_in(number), "feedline._native.NumberBase", number_slots);
}

PyObject* kept(nb::dict& found, const char* name) {
  return Py_NewRef(nb::borrow(found[name]).ptr());
}

void set_types(nb::dict numbers, nb::dict dtypes, nb::dict others) {
  for (auto [base, ours] : numbers) {
    if (types.count == kMost) throw nb::value_error("too many types of numbers");
    auto* const type = type_in(base);
    const bool is_truth = std::strcmp(type->tp_name, "numpy.bool") == 0;
    PyObject* const dtype = Py_NewRef(nb::borrow(dtypes[base]).ptr());
    types.numbers[types.count++] = {type, type_in(ours), dtype, type->tp_basicsize - kHead, is_truth};
    Py_INCREF(base.ptr());
    Py_INCREF(ours.ptr());
  }
  types.generic = reinterpret_cast<PyTypeObject*>(kept(others, "generic"));
  types.dtype_of = kept(others, "dtype_of");
  types.view = kept(others, "view");
  types.strings = kept(others, "strings");
  types.floats = kept(others, "floats");
  types.beside = kept(others, "beside");
  types.divided = kept(others, "divided");
  types.compared = kept(others, "compared");
  types.joined = kept(others, "joined");
  types.bytes = reinterpret_cast<PyTypeObject*>(kept(others, "bytes"));
  types.text = reinterpret_cast<PyTypeObject*>(kept(others, "text"));
  auto* const tensor = reinterpret_cast<PyTypeObject*>(kept(others, "tensor"));
  types.is_same_layout = tensor->tp_basicsize == types.array->tp_basicsize &&
                         tensor->tp_itemsize == types.array->tp_itemsize &&
                         tensor->tp_free == types.array->tp_free && !PyType_IS_GC(tensor) &&
                         !PyType_IS_GC(types.array);
  types.tensor = tensor;  // from now on
}

// The numbers along the only axis of an array, as tensors.
nb::object number_rows(nb::object array, nb::type_object kind) {
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_STRIDED_RO) < 0) throw nb::python_error();
  auto* const type = type_in(kind);
  const Number* const number = number_of_ours(type);
  const bool fits = number != nullptr && view.ndim == 1 && view.itemsize <= number->size;
  nb::object made = fits ? nb::steal(PyList_New(view.shape[0])) : nb::object();
  for (Py_ssize_t i = 0; made.is_valid() && i < view.shape[0]; ++i) {
    PyObject* const item = type->tp_alloc(type, 0);
    if (item == nullptr) {
      made = nb::object();
      break;
    }
    const char* const from = static_cast<const char*>(view.buf) + i * view.strides[0];
    std::memcpy(value_of(item), from, static_cast<std::size_t>(view.itemsize));
    PyList_SET_ITEM(made.ptr(), i, item);
  }
  PyBuffer_Release(&view);
  if (!fits) throw nb::type_error("number_rows(): an array with one axis and its type are needed");
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

// What a list, an array or any other iterable holds, as tensors.
nb::object tensor_rows(nb::object values) {
  nb::object made = nb::steal(PySequence_List(values.ptr()));
  if (!made.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(made.ptr()); ++i) {
    PyObject* const item = as_tensor(PyList_GET_ITEM(made.ptr(), i));
    PyList_SET_ITEM(made.ptr(), i, item == nullptr ? Py_NewRef(Py_None) : item);
    if (item == nullptr) throw nb::python_error();
  }
  return made;
}

nb::object bind_as_tensor(nb::object value) { return nb::steal(as_tensor(value.release().ptr())); }

}  // namespace

void register_tensor(nb::module_& m) {
  m.def("array_base", &array_base, nb::sig("def array_base(array: type) -> type"));
  m.def("number_base", &number_base, nb::sig("def number_base(number: type) -> type"));
  m.def("set_tensor_types", &set_types,
        nb::sig("def set_tensor_types(numbers: dict[type, type], dtypes: dict[type, object], "
                "others: dict[str, object]) -> None"));
  m.def("number_rows", &number_rows,
        nb::sig("def number_rows(array: numpy.ndarray, kind: type) -> list[object]"));
  m.def("tensor_rows", &tensor_rows, nb::sig("def tensor_rows(values: object) -> list[object]"));
  m.def("as_tensor", &bind_as_tensor, nb::arg("value").none(),
        nb::sig("def as_tensor(value: object) -> object"));
}

}  // namespace feedline
