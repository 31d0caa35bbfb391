/**
 * The command line agents that Kennel knows, and the agent library, one row each. Detection, hints, the window and the choice of an
 * adapter derive from this table.
 */
import { z } from 'zod';

/** How Kennel talks to the program while it runs. */
export const harnessProtocols = ['claude-stream', 'acp', 'lines'] as const;

/**
 * Whether the program asks before each of its actions: `always` in a mode that Kennel can set, `partly` if
 * some actions run without a request, `never` if it makes no requests.
 */
export const harnessGates = ['always', 'partly', 'never'] as const;

interface HarnessFacts {
  /** Proper name, the same in every language. */
  readonly title: string;
  readonly programs: readonly string[];
  /** In place of programs: the npm package that a script of Kennel loads, run by the person's Node.js. */
  readonly library: string | null;
  /** Program of another package that speaks the protocol for it; `null` if it does so itself. */
  readonly adapter: string | null;
  /** Command lines that the person types, shown unchanged. */
  readonly installCommand: string;
  readonly loginCommand: string;
  /** Page of its makers. */
  readonly website: string;
  /** SPDX name; `null` for terms of its makers. */
  readonly licence: string | null;
  readonly protocol: (typeof harnessProtocols)[number];
  readonly gate: (typeof harnessGates)[number];
  /** Session mode in which the program asks; `null` if it has no modes. */
  readonly mode: string | null;
  readonly resumes: boolean;
  /** It has an interface of its own for terminals that goes on with a session; see `terminalArgs` of its recipe. */
  readonly hasTerminal: boolean;
  /**
   * Files below the home folder of which one exists after a login; empty if that cannot be told from files.
   */
  readonly loginFiles: readonly string[];
  /** A login may be in the keychain of macOS instead of a file. */
  readonly usesKeychain: boolean;
  /** Environment variables that replace a login. */
  readonly keyVariables: readonly string[];
  /** Providers that agent.yml may name with it (spec §7); `null` if it cannot be chosen yet. */
  readonly providers: readonly string[] | null;
  /** This build has an adapter for it. */
  readonly isRunnable: boolean;
}

const table = {
  'claude-code': {
    title: 'Claude Code',
    programs: ['claude'],
    library: null,
    adapter: null,
    installCommand: 'npm install -g @anthropic-ai/claude-code',
    loginCommand: 'claude /login',
    website: 'https://github.com/anthropics/claude-code',
    licence: null,
    protocol: 'claude-stream',
    gate: 'always',
    mode: 'default',
    resumes: true,
    hasTerminal: true,
    loginFiles: ['.claude/.credentials.json'],
    usesKeychain: true,
    keyVariables: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    providers: ['anthropic'],
    isRunnable: true,
  },
  'claude-agent-sdk': {
    title: 'Claude Agent SDK',
    programs: [],
    library: '@anthropic-ai/claude-agent-sdk',
    adapter: null,
    installCommand: 'npm install -g @anthropic-ai/claude-agent-sdk',
    loginCommand: 'claude /login',
    website: 'https://github.com/anthropics/claude-agent-sdk-typescript',
    licence: null,
    protocol: 'claude-stream',
    gate: 'always',
    mode: 'default',
    resumes: true,
    hasTerminal: false,
    loginFiles: ['.claude/.credentials.json'],
    usesKeychain: true,
    keyVariables: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    // The kind `sdk-local` names it; agent.yml never does.
    providers: null,
    isRunnable: true,
  },
  hermes: {
    title: 'Hermes',
    programs: ['hermes'],
    library: null,
    adapter: null,
    installCommand: 'pip install hermes-agent',
    loginCommand: 'hermes login',
    website: 'https://github.com/NousResearch/hermes-agent',
    licence: 'MIT',
    protocol: 'lines',
    gate: 'never',
    mode: null,
    resumes: true,
    hasTerminal: false,
    loginFiles: [],
    usesKeychain: false,
    keyVariables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    providers: ['anthropic', 'openai'],
    isRunnable: true,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    programs: ['gemini'],
    library: null,
    adapter: null,
    installCommand: 'npm install -g @google/gemini-cli',
    loginCommand: 'gemini',
    website: 'https://github.com/google-gemini/gemini-cli',
    licence: 'Apache-2.0',
    protocol: 'acp',
    gate: 'partly',
    mode: 'default',
    resumes: true,
    hasTerminal: true,
    loginFiles: ['.gemini/oauth_creds.json'],
    usesKeychain: false,
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    providers: ['google'],
    isRunnable: true,
  },
  codex: {
    title: 'Codex',
    programs: ['codex'],
    library: null,
    adapter: 'codex-acp',
    installCommand: 'npm install -g @openai/codex @agentclientprotocol/codex-acp',
    loginCommand: 'codex login',
    website: 'https://github.com/openai/codex',
    licence: 'Apache-2.0',
    protocol: 'acp',
    gate: 'never',
    mode: 'agent-full-access',
    resumes: true,
    hasTerminal: false,
    loginFiles: ['.codex/auth.json'],
    usesKeychain: false,
    keyVariables: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    providers: ['openai'],
    isRunnable: true,
  },
  opencode: {
    title: 'OpenCode',
    programs: ['opencode'],
    library: null,
    adapter: null,
    installCommand: 'npm install -g opencode-ai',
    loginCommand: 'opencode auth login',
    website: 'https://opencode.ai',
    licence: 'MIT',
    protocol: 'acp',
    gate: 'always',
    mode: null,
    resumes: true,
    hasTerminal: true,
    loginFiles: ['.local/share/opencode/auth.json'],
    usesKeychain: false,
    keyVariables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    providers: ['anthropic', 'openai'],
    isRunnable: true,
  },
  pi: {
    title: 'pi',
    programs: ['pi'],
    library: null,
    adapter: 'pi-acp',
    installCommand: 'npm install -g @earendil-works/pi-coding-agent pi-acp',
    loginCommand: 'pi',
    website: 'https://github.com/earendil-works/pi',
    licence: 'MIT',
    protocol: 'acp',
    gate: 'never',
    mode: null,
    resumes: true,
    hasTerminal: true,
    loginFiles: ['.pi/agent/auth.json'],
    usesKeychain: false,
    keyVariables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    providers: ['anthropic', 'openai'],
    isRunnable: true,
  },
  /** Any program that speaks the Agent Client Protocol; agent.yml names its command line. */
  custom: {
    title: 'Program of agent.yml',
    programs: [],
    library: null,
    adapter: null,
    installCommand: '',
    loginCommand: '',
    website: '',
    licence: null,
    protocol: 'acp',
    // Kennel cannot know what it asks for. Its requests are answered like all others.
    gate: 'never',
    mode: null,
    resumes: true,
    hasTerminal: false,
    loginFiles: [],
    usesKeychain: false,
    keyVariables: [],
    providers: ['anthropic', 'openai', 'google'],
    isRunnable: true,
  },
} as const satisfies Readonly<Record<string, HarnessFacts>>;

export type HarnessId = keyof typeof table;

export const harnessIdSchema = z.enum(Object.keys(table) as [HarnessId, ...HarnessId[]]);
export const harnessIds: readonly HarnessId[] = harnessIdSchema.options;

export const harnessFacts = (id: HarnessId): HarnessFacts => table[id];

/** The harness whose command line is in agent.yml. */
export const customHarness = 'custom' satisfies HarnessId;

/** The harness of the kind `sdk-local`. */
export const sdkHarness = 'claude-agent-sdk' satisfies HarnessId;

/** `null` if no harness has this name. */
export const findHarness = (name: string): HarnessFacts | null =>
  Object.hasOwn(table, name) ? table[name as HarnessId] : null;

/** Checks of the canary: each kind of action is asked for, denials and rewritten input are obeyed. */
export const canaryChecks = ['shell', 'edit', 'network', 'subAgent', 'denial', 'rewrite'] as const;
export type CanaryCheck = (typeof canaryChecks)[number];

/** The result of a scripted turn with one version of a program. */
export const harnessCanarySchema = z.object({
  version: z.string(),
  /** ms since the epoch. */
  at: z.number(),
  passed: z.array(z.enum(canaryChecks)),
});
export type HarnessCanary = z.output<typeof harnessCanarySchema>;

/** Rewritten input is not needed to ask first. */
export const failedChecks = ({ passed }: Pick<HarnessCanary, 'passed'>): readonly CanaryCheck[] =>
  canaryChecks.filter((check) => check !== 'rewrite' && !passed.includes(check));

/** Whether Kennel has a canary for the program. */
export const hasCanary = ({ protocol }: Pick<HarnessFacts, 'protocol'>): boolean =>
  protocol === 'claude-stream';

/** A message that arrives during a turn joins it; otherwise the message starts the next turn. */
export const canSteer = ({ protocol }: Pick<HarnessFacts, 'protocol'>): boolean =>
  protocol === 'claude-stream';

/** `unknown`: the program keeps its login where Kennel does not look. */
export const harnessLogins = ['yes', 'no', 'unknown'] as const;

/** A harness as found on this computer. */
export const harnessViewSchema = z.object({
  id: harnessIdSchema,
  title: z.string(),
  /** Path of the program or library, or `null` if it is not installed. */
  program: z.string().nullable(),
  /** Path of what Kennel starts: the program, its adapter, or Node.js for a library; `null` if that is missing. */
  entry: z.string().nullable(),
  /** `null` if the program is missing or did not say. */
  version: z.string().nullable(),
  login: z.enum(harnessLogins),
  protocol: z.enum(harnessProtocols),
  gate: z.enum(harnessGates),
  resumes: z.boolean(),
  isRunnable: z.boolean(),
  installCommand: z.string(),
  loginCommand: z.string(),
  /** Test result of the installed version; `null` if it was not tested. */
  canary: harnessCanarySchema.nullable(),
});
export type HarnessView = z.output<typeof harnessViewSchema>;

/** Why Kennel does not start a program on this computer, the first reason that applies. */
export type HarnessHindrance = 'notYet' | 'missing' | 'failedTest' | 'needsWall';

export function harnessHindrance(view: HarnessView, hasWall: boolean): HarnessHindrance | null {
  if (!view.isRunnable) return 'notYet';
  if (view.program === null || view.entry === null) return 'missing';
  if (view.canary !== null && failedChecks(view.canary).length > 0) return 'failedTest';
  // The operator is not asked about what such a program does, so only a wall holds it.
  return view.gate === 'never' && !hasWall ? 'needsWall' : null;
}

/** The program may work without a model of Kennel, by a login of its own. */
export const mayUseLogin = ({ protocol }: Pick<HarnessFacts, 'protocol'>): boolean =>
  protocol === 'claude-stream';

/** The program may be paid by its own login, whose usage Kennel learns after each turn. */
export const usesLogin = (view: Pick<HarnessView, 'login' | 'protocol'>): boolean =>
  view.login === 'yes' && mayUseLogin(view);

/** The program needs a login of its own, because it may work without a model of Kennel, and has none. */
export const lacksLogin = (view: Pick<HarnessView, 'login' | 'protocol'>): boolean =>
  view.login === 'no' && mayUseLogin(view);
