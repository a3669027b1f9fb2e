from feedline.parallel.changes import Move, RoomChange, StageChange
from feedline.parallel.room import Memory, Room
from feedline.parallel.stage import Stage


def turn(stage, executor, width):
    stage.executor = executor
    stage.set_width(width)


def test_a_change_of_a_stage_can_be_undone():
    stage = Stage("map()")
    change = StageChange(stage, "threads", 4)
    undo = change.undone()

    assert (change.before, change.after) == ("inline", "threads x 4")
    change.apply(turn)
    assert (stage.executor, stage.width) == ("threads", 4)
    undo.apply(turn)
    assert (stage.executor, stage.width) == ("inline", 1)


def test_a_change_of_a_room_can_be_undone():
    room = Room(Memory())
    change = RoomChange(room, "prefetch", 4)
    undo = change.undone()

    change.apply(turn)
    assert room.depth == 4
    undo.apply(turn)
    assert room.depth == 0


def test_a_move_says_whether_it_saves_and_whether_it_starts_processes():
    to_processes = StageChange(Stage("map()"), "processes", 2)

    assert Move("key", (to_processes,), "why", 0.5, None, 1.1).to_processes
    assert not Move("key", (to_processes,), "why", 0.5, None, 1.1).saves
    assert Move("key", (), "why", 0.0, None, 0.97).saves
