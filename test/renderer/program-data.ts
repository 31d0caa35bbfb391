/** Agent programs of a computer, as the host finds them. */
import { type HarnessView, harnessFacts } from '../../src/contract/harnesses.ts';

const program = (id: HarnessView['id'], change: Partial<HarnessView> = {}): HarnessView => {
  const { title, programs, protocol, gate, resumes, isRunnable, installCommand, loginCommand } =
    harnessFacts(id);
  const path = `/home/ada/.local/bin/${programs[0]}`;
  return {
    id,
    title,
    program: path,
    entry: path,
    version: null,
    login: 'no',
    protocol,
    gate,
    resumes,
    isRunnable,
    installCommand,
    loginCommand,
    canary: null,
    ...change,
  };
};

const canary = (version: string): NonNullable<HarnessView['canary']> => ({
  version,
  at: Date.now() - 3 * 86_400_000,
  passed: ['shell', 'edit', 'network', 'subAgent', 'denial', 'rewrite'],
});

export const claude = (change: Partial<HarnessView> = {}): HarnessView =>
  program('claude-code', { version: '2.1.330', login: 'yes', canary: canary('2.1.330'), ...change });

/** One of each: tested, asking partly, without a question, missing, and unknown to this version. */
export const programs = (): HarnessView[] => [
  claude(),
  program('gemini-cli', { version: '0.61.0' }),
  program('opencode', { program: null, entry: null }),
  program('pi', { version: '0.87.1' }),
  program('hermes', { version: '1.0.0', isRunnable: false }),
];
