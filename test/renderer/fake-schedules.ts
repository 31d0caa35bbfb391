/** The schedules of the paper host. */
import type { SchedulesView } from '../../src/contract/schedule-methods.ts';
import type { FakeFeed } from './fake-feed.ts';

export class FakeSchedules {
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    this.feed.put('schedules', { schedules: {} } satisfies SchedulesView);
  }
}
