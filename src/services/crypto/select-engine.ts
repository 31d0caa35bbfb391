/**
 * Chooses the crypto engine once per process: every present engine answers the known questions, one that errs is dropped
 * with a stated reason, and the fastest of those that agree is taken. Loads the engines only when asked to.
 */
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { answerOf, knownAnswers } from './known-answers.ts';

export interface EngineVerdict {
  readonly name: string;
  /** Null when it is fit for use. */
  readonly fault: string | null;
}

export interface CryptoReport {
  readonly chosen: string;
  readonly questions: number;
  readonly engines: readonly EngineVerdict[];
}

export interface SelectedEngine {
  readonly engine: CryptoEngine;
  readonly report: CryptoReport;
}

/** One way to an engine; `load` may fail where the machine lacks something. Listed fastest first. */
export interface EngineSource {
  readonly name: string;
  load(): Promise<CryptoEngine>;
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The first question that an engine answers wrongly, or null. The event loop runs between questions. */
export async function selfTest(engine: CryptoEngine): Promise<string | null> {
  for (const question of knownAnswers) {
    try {
      if (answerOf(question, engine) !== question.expected) return `wrong answer: ${question.name}`;
    } catch (error) {
      return `failed at ${question.name}: ${message(error)}`;
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

/** Errors: `unsupported` when no engine is fit for use. */
export async function chooseEngine(candidates: readonly EngineSource[]): Promise<Result<SelectedEngine>> {
  const fit: CryptoEngine[] = [];
  const verdicts: EngineVerdict[] = [];
  for (const candidate of candidates) {
    try {
      const engine = await candidate.load();
      const fault = await selfTest(engine);
      verdicts.push({ name: candidate.name, fault });
      if (fault === null) fit.push(engine);
    } catch (error) {
      verdicts.push({ name: candidate.name, fault: `could not be loaded: ${message(error)}` });
    }
  }
  const [first] = fit;
  if (!first) {
    const reasons = verdicts.map((verdict) => `${verdict.name} (${verdict.fault})`).join(', ');
    return err(appError('unsupported', `No encryption on this machine passed its self-test: ${reasons}.`));
  }
  const report = { chosen: first.name, questions: knownAnswers.length, engines: verdicts };
  return ok({ engine: first, report });
}

let selected: Promise<Result<SelectedEngine>> | null = null;

/** The same engine for every caller of this process. */
export function selectCryptoEngine(): Promise<Result<SelectedEngine>> {
  selected ??= chooseEngine(sources);
  return selected;
}
