/** A real host that dies at a commit of one of its databases, and is started again by whoever sees that it is not there. */
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

  /** `database`: the name of its file. */
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

  /** From now on commits are counted, and it dies at this one, `3:before`; null: it is let live. */
  dieAt(point: string | null): void {
    this.#died = false;
    writeFileSync(path.join(this.#notes, 'at'), point ?? 'none');
  }

  /** Whether it died since it was told when. */
  get died(): boolean {
    return this.#died;
  }

  /** Since it was told when to die. */
  get commits(): number {
    return Number(readFileSync(path.join(this.#notes, 'commits'), 'utf8'));
  }

  /** `act` until it says so; a host that died meanwhile is started, and asked again. */
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
          // It is not there any more, or not yet: `ended` knows.
          if (error instanceof Error && /unavailable/.test(error.message)) return false;
          throw error;
        }
      },
      90_000,
    );
  }
}
