// row_cursor: RowCursor, the part of an iterator that is called once per element.
//
// Any number of threads may call it: a row goes to one of them, and one at a time asks for more.
//
// Written against Python's own interface: what counts is that next() on a subclass runs no
// Python code while there are rows in hand, which a wrapped C++ class cannot offer.
#include "bind/register.h"

#include <structmember.h>  // needs Python.h before it

namespace feedline {
namespace {

#if PY_VERSION_HEX < 0x030D0000
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

struct RowCursor {
  PyObject_HEAD
  PyObject* rows;  // a list, or null
  PyObject* lock;  // an RLock, held by whoever asks for more rows
  Py_ssize_t used;
};

RowCursor* cursor_of(PyObject* self) { return reinterpret_cast<RowCursor*>(self); }

PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* module = PyImport_ImportModule("threading");
  if (module == nullptr) {
    return nullptr;
  }
  PyObject* lock = PyObject_CallMethod(module, "RLock", nullptr);
  Py_DECREF(module);
  if (lock == nullptr) {
    return nullptr;
  }
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) {
    Py_DECREF(lock);
    return nullptr;
  }
  cursor_of(self)->lock = lock;
  return self;
}

// The next row in hand, or null without an exception. Nothing runs in between: no lock is needed.
PyObject* next_in_hand(PyObject* self) {
  RowCursor* cursor = cursor_of(self);
  PyObject* row = nullptr;
  Py_BEGIN_CRITICAL_SECTION(self);
  if (cursor->rows != nullptr && cursor->used < PyList_GET_SIZE(cursor->rows)) {
    row = Py_NewRef(PyList_GET_ITEM(cursor->rows, cursor->used++));
  }
  Py_END_CRITICAL_SECTION();
  return row;
}

PyObject* next_of_more(PyObject* self) {
  PyObject* rows = PyObject_CallMethod(self, "_next_rows", nullptr);
  if (rows == nullptr) {
    return nullptr;
  }
  if (rows == Py_None) {  // the end: null without an exception
    Py_DECREF(rows);
    return nullptr;
  }
  if (!PyList_CheckExact(rows)) {
    PyErr_Format(PyExc_TypeError, "_next_rows() must return a list or None, got %R", rows);
    Py_DECREF(rows);
    return nullptr;
  }
  PyObject* first = PyList_GET_SIZE(rows) > 0 ? Py_NewRef(PyList_GET_ITEM(rows, 0)) : nullptr;
  PyObject* old = nullptr;
  Py_BEGIN_CRITICAL_SECTION(self);
  old = cursor_of(self)->rows;
  cursor_of(self)->rows = rows;
  cursor_of(self)->used = first == nullptr ? 0 : 1;
  Py_END_CRITICAL_SECTION();
  Py_XDECREF(old);
  return first;
}

PyObject* next(PyObject* self) {
  PyObject* row = next_in_hand(self);
  if (row != nullptr) {
    return row;
  }
  PyObject* lock = Py_NewRef(cursor_of(self)->lock);
  PyObject* held = PyObject_CallMethod(lock, "acquire", nullptr);
  if (held == nullptr) {  // Ctrl-C while it waited
    Py_DECREF(lock);
    return nullptr;
  }
  Py_DECREF(held);
  row = next_in_hand(self);  // another thread may have got more meanwhile
  if (row == nullptr) {
    row = next_of_more(self);
  }
  {
    nanobind::error_scope keeps_exception;
    Py_XDECREF(PyObject_CallMethod(lock, "release", nullptr));
  }
  Py_DECREF(lock);
  return row;
}

PyObject* drop_rows(PyObject* self, PyObject*) {
  PyObject* old = nullptr;
  Py_BEGIN_CRITICAL_SECTION(self);
  old = cursor_of(self)->rows;
  cursor_of(self)->rows = nullptr;
  cursor_of(self)->used = 0;
  Py_END_CRITICAL_SECTION();
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(cursor_of(self)->rows);
  Py_VISIT(cursor_of(self)->lock);
  return 0;
}

int clear(PyObject* self) {
  Py_CLEAR(cursor_of(self)->rows);
  return 0;
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear(self);
  Py_CLEAR(cursor_of(self)->lock);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMethodDef methods[] = {
    {"_drop_rows", drop_rows, METH_NOARGS, "Forget the rows in hand."},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef members[] = {
    {"_used", T_PYSSIZET, offsetof(RowCursor, used), READONLY,
     "How many of the rows in hand were handed out."},
    {"_lock", T_OBJECT_EX, offsetof(RowCursor, lock), READONLY,
     "Held by whoever asks for more rows, and by whoever changes what comes next."},
    {nullptr, 0, 0, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("Hands out the rows of one list after the other.")},
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
    {Py_tp_iternext, reinterpret_cast<void*>(next)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {0, nullptr},
};

PyType_Spec spec = {
    "feedline._native.RowCursor",
    sizeof(RowCursor),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    slots,
};

}  // namespace

void register_row_cursor(nanobind::module_& m) {
  m.attr("RowCursor") = nanobind::steal(PyType_FromSpec(&spec));
}

}  // namespace feedline
