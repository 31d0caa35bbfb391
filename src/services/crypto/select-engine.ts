/**
 * Chooses the crypto engine once per process: the fastest that gives every known answer. One that fails is
 * dropped with a stated reason. The slower ones are tested a moment later, so that every available engine has
 * agreed, without delaying the start.
 */
import { setImmediate as breathe, setTimeout } from 'node:timers/promises';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { engineAnswer, knownAnswers } from './known-answers.ts';

export interface EngineVerdict {
  readonly name: string;
  /** `null` if the engine is usable. */
  readonly fault: string | null;
}

export interface CryptoReport {
  readonly chosen: string;
  readonly questions: number;
  readonly engines: readonly EngineVerdict[];
}

export interface SelectedEngine {
  readonly engine: CryptoEngine;
  /** Resolves once the remaining engines are tested too. */
  readonly agreed: Promise<CryptoReport>;
}

/** Loads one engine; `load` may fail if the machine lacks something. Listed fastest first. */
export interface EngineSource {
  readonly name: string;
  load(): Promise<CryptoEngine>;
}

/** The first wrong answer of an engine, or `null` if none. Yields to the event loop between questions. */
export async function selfTest(engine: CryptoEngine): Promise<string | null> {
  for (const question of knownAnswers) {
    try {
      if (engineAnswer(question, engine) !== question.expected) return `wrong answer: ${question.name}`;
    } catch (error) {
      return `failed at ${question.name}: ${errorText(error)}`;
    }
    await breathe();
  }
  return null;
}

const sources: readonly EngineSource[] = [
  {
    name: 'sodium',
    async load() {
      const [{ default: sodium }, { createSodiumEngine }] = await Promise.all([
        import('sodium-native'),
        import('./sodium-engine.ts'),
      ]);
      return createSodiumEngine(sodium);
    },
  },
  {
    name: 'node',
    async load() {
      const [{ createNodeEngine }, { createNobleEngine }] = await Promise.all([
        import('./node-engine.ts'),
        import('./noble-engine.ts'),
      ]);
      return createNodeEngine(createNobleEngine());
    },
  },
  { name: 'noble', load: async () => (await import('./noble-engine.ts')).createNobleEngine() },
];

async function examine(
  candidate: EngineSource,
): Promise<EngineVerdict & { readonly engine: CryptoEngine | null }> {
  const { name } = candidate;
  try {
    const engine = await candidate.load();
    const fault = await selfTest(engine);
    return { name, fault, engine: fault === null ? engine : null };
  } catch (error) {
    return { name, fault: `could not be loaded: ${errorText(error)}`, engine: null };
  }
}

const verdictOf = ({ name, fault }: EngineVerdict): EngineVerdict => ({ name, fault });

/** Errors: `unsupported` if no engine is usable. `pause` runs before the remaining engines are tested. */
export async function chooseEngine(
  candidates: readonly EngineSource[],
  pause: () => Promise<void>,
): Promise<Result<SelectedEngine>> {
  const verdicts: EngineVerdict[] = [];
  for (const [i, candidate] of candidates.entries()) {
    const { engine, ...verdict } = await examine(candidate);
    verdicts.push(verdict);
    if (!engine) continue;
    const others = candidates.slice(i + 1);
    const rest = pause().then(async () => {
      for (const other of others) verdicts.push(verdictOf(await examine(other)));
      return { chosen: engine.name, questions: knownAnswers.length, engines: verdicts };
    });
    return ok({ engine, agreed: rest });
  }
  const reasons = verdicts.map((verdict) => `${verdict.name} (${verdict.fault})`).join(', ');
  return err(fail('unsupported', 'secrets.cryptoSelfTestFailed', { reasons }));
}

/** Long enough for the process to finish its start; does not keep it alive. */
const aMoment = (): Promise<void> => setTimeout(2_000, undefined, { ref: false });

let selected: Promise<Result<SelectedEngine>> | null = null;

/** Returns the same engine to every caller of this process. */
export function selectCryptoEngine(): Promise<Result<SelectedEngine>> {
  selected ??= chooseEngine(sources, aMoment);
  return selected;
}
