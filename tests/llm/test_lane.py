import asyncio

import pytest
from stub.clock import run_jumping

from sentinel.llm._lane import Lane


def now() -> float:
    return asyncio.get_running_loop().time()


async def _hold(lane: Lane, seconds: float, peak: list[int]) -> None:
    async with lane.slot() as began:
        peak[0] += 1
        peak[1] = max(peak)
        await asyncio.sleep(seconds)
        peak[0] -= 1
    lane.report_success(began)


def test_no_more_than_the_cap_are_in_flight_and_all_places_are_used() -> None:
    async def main() -> tuple[int, float]:
        lane, peak = Lane("server", 4, 1.0, 300.0), [0, 0]
        await asyncio.gather(*(_hold(lane, 1.0, peak) for _ in range(12)))
        return peak[1], now()

    # 12 calls of a second each, 4 at a time.
    assert run_jumping(main()) == (4, 3.0)


def test_a_tenth_of_refusals_is_tolerated_and_more_halve_the_limit() -> None:
    async def main() -> tuple[float, list[float]]:
        lane, limits = Lane("server", 64, 1.0, 300.0), []
        for number in range(60):
            async with lane.slot() as began:
                await asyncio.sleep(0.01)
            if number % 16 == 0:
                lane.report_refusal(began, None)
            else:
                lane.report_success(began)
        tolerated = lane.limit
        while lane.limit == tolerated:
            async with lane.slot() as began:
                await asyncio.sleep(0.01)
            lane.report_refusal(began, None)
            limits.append(lane.limit)
        return tolerated, limits

    # 4 of 60 before; then 5 of 61, 6 of 62 and 7 of 63, of which only the last is more than a tenth.
    assert run_jumping(main()) == (64.0, [64.0, 64.0, 32.0])


def test_calls_begun_before_a_cut_do_not_cut_again() -> None:
    async def main() -> float:
        lane = Lane("server", 64, 1.0, 300.0)
        began = []
        for _ in range(64):
            async with lane.slot() as start:
                began.append(start)
        await asyncio.sleep(0.1)
        for start in began:
            lane.report_refusal(start, None)
        return lane.limit

    assert run_jumping(main()) == 32.0


def test_retry_after_is_waited_for_in_full_up_to_the_longest() -> None:
    async def main() -> list[float]:
        lane = Lane("server", 8, 1.0, 60.0)
        async with lane.slot() as began:
            pass
        return [lane.report_refusal(began, 7.0), lane.report_refusal(began, 4000.0)]

    asked, capped = run_jumping(main())
    assert 7.0 <= asked <= 7.0 * 1.05
    assert 60.0 <= capped <= 60.0 * 1.05


def test_after_a_success_the_limit_is_back_within_ten_seconds() -> None:
    async def main() -> tuple[float, float, float]:
        lane = Lane("server", 64, 1.0, 300.0)
        for _ in range(2):
            began = []
            for _ in range(30):
                async with lane.slot() as start:
                    began.append(start)
            await asyncio.sleep(0.1)
            for start in began:
                lane.report_refusal(start, None)
            await asyncio.sleep(0.1)
        lowest = lane.limit
        async with lane.slot() as start:
            await asyncio.sleep(0.1)
        lane.report_success(start)
        await asyncio.sleep(2.5)
        knee = lane.limit
        await asyncio.sleep(4.0)
        return lowest, knee, lane.limit

    # 1, then five doublings of half a second up to half of 64, then one of four seconds.
    assert run_jumping(main()) == (1.0, pytest.approx(32.0), 64.0)


def test_who_gives_up_waiting_leaves_no_place_taken() -> None:
    async def main() -> int:
        lane, peak = Lane("server", 1, 1.0, 300.0), [0, 0]
        holder = asyncio.create_task(_hold(lane, 1.0, peak))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(_hold(lane, 1.0, peak)) for _ in range(3)]
        await asyncio.sleep(0.5)
        waiting[0].cancel()
        # Cancelled in the very moment in which the place becomes free for it.
        holder.add_done_callback(lambda _: waiting[1].cancel())
        await asyncio.gather(*waiting, return_exceptions=True)
        return sum(not task.cancelled() for task in waiting)

    assert run_jumping(main()) == 1
