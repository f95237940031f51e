"""What the points of a game say of its course."""

from generator.play.game_loop import CHANGES, COURSE_FIGURES, LAST, fill_course_figures


def test_a_shared_lead_is_no_lead() -> None:
    """Only a player who is ahead alone takes the lead: drawing level is no change, nor is going on from it."""
    points = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (2, 3)]
    course = [len(points), *(each for turn in points for each in turn)]
    told = [0] * COURSE_FIGURES
    fill_course_figures(course, 2, told, 0)
    assert (told[CHANGES], told[LAST]) == (1, 100)
