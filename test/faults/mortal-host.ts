/**
 * A real host that dies at a commit of one of its databases and is restarted by the next caller that finds it
 * dead.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Desk } from './desk.ts';
import { until } from './invariants.ts';
import { ended } from './kennel-process.ts';

const killer = pathToFileURL(path.resolve(import.meta.dirname, '../children/kill-at-commit.mjs')).href;

export class MortalHost {
  readonly #desk: Desk;
  readonly #database: string;
  readonly #notes: string;
  #died = false;

  /** `database`: name of its file. */
  constructor(desk: Desk, database: string) {
    this.#desk = desk;
    this.#database = database;
    this.#notes = path.join(desk.home, 'kill-notes');
    mkdirSync(this.#notes, { recursive: true });
  }

  async begin(): Promise<void> {
    const env = { KENNEL_KILL_DATABASE: this.#database, KENNEL_KILL_NOTES: this.#notes };
    await this.#desk.start({ env: { ...env, NODE_OPTIONS: `--import=${killer}` } });
  }

  /**
   * Restarts the count of commits; the host dies at commit `point` (`3:before`), or stays alive if `null`.
   */
  dieAt(point: string | null): void {
    this.#died = false;
    writeFileSync(path.join(this.#notes, 'at'), point ?? 'none');
  }

  /** Whether the host died since the last `dieAt`. */
  get died(): boolean {
    return this.#died;
  }

  /** Number of commits since the last `dieAt`. */
  get commits(): number {
    return Number(readFileSync(path.join(this.#notes, 'commits'), 'utf8'));
  }

  /** Repeats `act` until it succeeds; restarts a host that died meanwhile. */
  async until<T>(what: string, act: () => Promise<T | false>): Promise<T> {
    return until(
      what,
      async () => {
        if (ended(this.#desk.kennel)) {
          this.#died = true;
          this.#desk.door.close();
          await this.begin();
        }
        try {
          return await act();
        } catch (error) {
          // The host is gone or not ready yet; `ended` tells which.
          if (error instanceof Error && /unavailable/.test(error.message)) return false;
          throw error;
        }
      },
      90_000,
    );
  }
}
