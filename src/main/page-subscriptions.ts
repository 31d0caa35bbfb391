/** Open feeds per page, numbered by the page; stopped when the page closes them, reloads or is destroyed. */
import { fail } from '../contract/fail.ts';
import { err, ok, type Result } from '../contract/result.ts';

/** A page needs only a few; more indicate a bug or an attack. */
const maxPerPage = 256;

type Stop = () => void;
const nothingYet: Stop = () => {};

export interface PageSubscriptions {
  /** Starts a feed. If the page closed it or left while the host was starting, no feed stays open. */
  open(page: number, id: number, start: () => Promise<Result<Stop>>): Promise<Result<unknown>>;
  close(page: number, id: number): void;
  closeAll(page: number): void;
}

export function createPageSubscriptions(): PageSubscriptions {
  const pages = new Map<number, Map<number, Stop>>();

  const stopsOf = (page: number): Map<number, Stop> => {
    const known = pages.get(page) ?? new Map<number, Stop>();
    pages.set(page, known);
    return known;
  };

  return {
    async open(page, id, start) {
      const stops = stopsOf(page);
      if (stops.size >= maxPerPage || stops.has(id)) {
        return err(fail('rate_limited', 'host.tooManyTopics'));
      }
      stops.set(id, nothingYet);
      const started = await start();
      const stillWanted = stops.get(id) === nothingYet;
      if (started.ok && stillWanted) stops.set(id, started.value);
      else if (started.ok) started.value();
      else if (stillWanted) stops.delete(id);
      return started.ok ? ok({}) : started;
    },
    close(page, id) {
      const stops = pages.get(page);
      stops?.get(id)?.();
      stops?.delete(id);
    },
    closeAll(page) {
      const stops = pages.get(page);
      pages.delete(page);
      for (const stop of stops?.values() ?? []) stop();
      stops?.clear();
    },
  };
}
