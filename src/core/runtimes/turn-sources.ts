/**
 * Records the sources one turn has read and decides who may learn of them (T9). A source is recorded before
 * the model sees any of it, so that a crash loses none; members are read again each time, because some may
 * have joined meanwhile.
 */

import type { HeldBack } from '../policy/assessment.ts';
import { decideRelease, isPrivate } from '../policy/audience.ts';
import type { AudiencePort, ReadLog, ReadRecord } from '../policy/audience-ports.ts';
import { heldBackWords } from '../policy/audience-text.ts';
import { type Audience, roomOfSource, roomSource, type Source } from '../policy/source.ts';
import type { AnswerPlace } from '../supervisor/runtime-port.ts';
import type { RoomFilter } from '../tools/tool.ts';

export interface TurnReadsDeps {
  readonly audience: AudiencePort;
  readonly log: ReadLog;
  readonly threadKey: string;
  readonly place: AnswerPlace | null;
  /** True if the conversation already holds tool results. */
  readonly hasResults: boolean;
}

const nothing: ReadRecord = { sources: [], tainted: false };

export class TurnReads {
  readonly #deps: TurnReadsDeps;
  /** The room whose members read the answer, or `null` if only the operator does. */
  readonly #roomId: string | null;
  #record: ReadRecord;

  constructor(deps: TurnReadsDeps) {
    this.#deps = deps;
    const { place, audience, log, threadKey, hasResults } = deps;
    this.#roomId = place === null || audience.isOwnRoom(place.roomId) ? null : place.roomId;
    const kept = this.#roomId === null ? nothing : log.of(threadKey);
    this.#record = kept ?? nothing;
    // Tool results from before such records existed have unknown sources.
    if (kept === null) this.#keep(hasResults ? { ...nothing, sources: ['unknown'] } : nothing);
  }

  note(sources: readonly Source[]): void {
    const fresh = sources.filter((source) => !this.#record.sources.includes(source));
    if (fresh.length > 0) this.#keep({ ...this.#record, sources: [...this.#record.sources, ...fresh] });
  }

  taint(): void {
    if (!this.#record.tainted) this.#keep({ ...this.#record, tainted: true });
  }

  /**
   * The filter for rooms the turn may read from now on; `undefined` if it may read all that the agent can.
   */
  async filter(tainted: boolean): Promise<RoomFilter | undefined> {
    const audience = await this.#audience(tainted);
    if (audience === null) return undefined;
    return async (roomId) => (await this.#withheld(audience, [roomSource(roomId)])).length === 0;
  }

  /**
   * The sources that an answer would reveal beyond what its audience may read, or `null` if none. `more` are
   * sources sent with the answer.
   */
  async heldBack(tainted: boolean, more: readonly Source[] = []): Promise<HeldBack | null> {
    const audience = await this.#audience(tainted);
    if (audience === null) return null;
    const sources = await this.#withheld(audience, [...this.#record.sources, ...more]);
    if (sources.length === 0) return null;
    const { roomName } = this.#deps.audience;
    const { roomId, outsiders } = audience;
    return { roomId, outsiders, sources, ...heldBackWords(audience, sources, roomName) };
  }

  async #audience(tainted: boolean): Promise<Audience | null> {
    if (!tainted || this.#roomId === null) return null;
    const audience = await this.#deps.audience.of(this.#roomId);
    return isPrivate(audience) ? null : audience;
  }

  async #withheld(audience: Audience, sources: readonly Source[]): Promise<readonly Source[]> {
    const rooms = [...new Set(sources)].flatMap((source) => roomOfSource(source) ?? []);
    const others = rooms.filter((roomId) => roomId !== audience.roomId);
    const readers = await Promise.all(
      others.map(async (roomId) => [roomId, (await this.#deps.audience.of(roomId)).outsiders] as const),
    );
    const shares = this.#deps.audience.shares();
    return decideRelease({ tainted: true, audience, sources, readers: new Map(readers), shares });
  }

  #keep(record: ReadRecord): void {
    if (this.#roomId !== null) this.#deps.log.keep(this.#deps.threadKey, record);
    this.#record = record;
  }
}

/** True if no reader is added beyond those shown to the operator, and no source. */
export const coveredBy = (asked: HeldBack, now: HeldBack): boolean =>
  now.sources.every((source) => asked.sources.includes(source)) &&
  (asked.outsiders === null || now.outsiders?.every((slug) => asked.outsiders?.includes(slug)) === true);
