import { describe, expect, it } from 'vitest';
import { createMemoryTranscriptStore } from '../../../test/fakes/memory-transcript-store.ts';
import { countingTool, runtimeRig, thread } from '../../../test/fakes/runtime-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { transcriptText } from '../models/messages.ts';
import type { ReplayPolicy, TranscriptStore } from '../models/transcript-store.ts';

/**
 * Kills the host at every point of a turn with two calls: before and after each durable write, and before and
 * after each effect. Then the turn resumes over the same store.
 */
const killedAt = (crash: () => void, at: number) => {
  let points = 0;
  return {
    point: (): void => {
      points += 1;
      if (points === at) crash();
    },
    reached: () => points >= at,
  };
};

class Killed extends Error {}

/** After the kill the dead process writes nothing; `point` is called before and after each write. */
function mortal(store: TranscriptStore, point: () => void, dead: () => boolean): TranscriptStore {
  const guard =
    <A extends readonly unknown[]>(write: (...args: A) => void) =>
    (...args: A): void => {
      point();
      if (dead()) throw new Killed();
      write(...args);
      point();
      if (dead()) throw new Killed();
    };
  return {
    load: store.load,
    openCalls: store.openCalls,
    append: guard(store.append),
    compact: guard(store.compact),
    callStarted: guard(store.callStarted),
    callEnded: guard(store.callEnded),
  };
}

async function killAndGoOn(at: number, replay: ReplayPolicy) {
  const store = createMemoryTranscriptStore();
  let dead = false;
  let die = (): void => undefined;
  const death = killedAt(() => {
    dead = true;
    die();
  }, at);
  const effects: string[] = [];
  const toolOf = (mayDie: boolean) =>
    countingTool('write_file', {
      replay,
      execute: async (args: Readonly<Record<string, unknown>>) => {
        if (mayDie) death.point();
        if (mayDie && dead) return new Promise<never>(() => undefined);
        effects.push(String(args.path));
        if (mayDie) death.point();
        if (mayDie && dead) return new Promise<never>(() => undefined);
        return { content: [{ type: 'text' as const, text: `wrote ${String(args.path)}` }] };
      },
    });
  const script = [
    calls(['c1', 'write_file', { path: 'one' }], ['c2', 'write_file', { path: 'two' }]),
    says('both are there'),
  ];
  const first = runtimeRig(script, {
    tools: [toolOf(true)],
    transcripts: mortal(store, death.point, () => dead),
  });
  die = () => first.abort('interrupted');
  store.append(thread, [{ role: 'user', content: [{ type: 'text', text: 'write both' }], timestamp: 1 }]);
  const life = first.run().catch(() => []);
  await Promise.race([life, settle(200)]);
  if (!death.reached()) return null;
  const answered = store.load(thread).some(({ message }) => message.role === 'assistant');
  const second = runtimeRig(answered ? script.slice(1) : script, {
    tools: [toolOf(false)],
    transcripts: store,
  });
  const events = await second.run();
  return { store, effects, events, first, second };
}

describe('F1 Turn killed at any point and resumed', () => {
  it.each(['never', 'safe'] as const)(
    'with replay %s, has the expected effects, results and requests',
    async (replay) => {
      let places = 0;
      for (let at = 1; ; at += 1) {
        const outcome = await killAndGoOn(at, replay);
        if (!outcome) break;
        places += 1;
        const { store, effects, events, first, second } = outcome;
        const messages = store.load(thread).map(({ message }) => message);
        const results = messages.filter((message) => message.role === 'toolResult');
        // Every call has exactly one result, and the turn has an answer.
        expect(results.map(({ toolCallId }) => toolCallId).sort(), `killed at ${at}`).toEqual(['c1', 'c2']);
        expect(events.at(-1), `killed at ${at}`).toMatchObject({
          type: 'turn_done',
          parts: ['both are there'],
        });
        // No unrepeatable call is repeated; an uncertain result is reported as unknown.
        const unknown = results.filter((message) => transcriptText(message).includes('unknown'));
        for (const path of ['one', 'two']) {
          const times = effects.filter((done) => done === path).length;
          if (replay === 'never') expect(times, `${path}, killed at ${at}`).toBeLessThanOrEqual(1);
          if (unknown.length === 0) expect(times, `${path}, killed at ${at}`).toBeGreaterThanOrEqual(1);
          expect(times, `${path}, killed at ${at}`).toBeLessThanOrEqual(2);
        }
        if (replay === 'safe') expect(unknown).toEqual([]);
        // The model is not called again for an answer it has given.
        const asked = first.asked.length + second.asked.length;
        expect(asked, `killed at ${at}`).toBeLessThanOrEqual(3);
      }
      expect(places).toBeGreaterThanOrEqual(12);
    },
  );
});
