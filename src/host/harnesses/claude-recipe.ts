import { existsSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sdkHarness } from '../../contract/harnesses.ts';
import { askedTools, claudeTools, freeTools } from '../../core/runtimes/claude/claude-calls.ts';
import { hostServer } from '../../core/runtimes/program/host-tools.ts';
import { agentSdkArgs } from '../../services/harnesses/agent-sdk-runner.ts';
import type { ProgramRecipe, RecipeStart } from './program-recipe.ts';

/** Models that Claude Code and its SDK can use. */
const formatFor: ProgramRecipe['formatFor'] = ({ adapter }) =>
  adapter === 'anthropic' ? 'anthropic-messages' : null;

export const claudeRecipe: ProgramRecipe = {
  harness: 'claude-code',
  formatFor,
  prepare(start) {
    const { model, sessionId, isNew } = start;
    return {
      args: [
        ...claudeArguments,
        ...(model === '' ? [] : ['--model', model]),
        ...(isNew ? ['--session-id', sessionId] : ['--resume', sessionId]),
      ],
      env: claudeEnvironment(start),
    };
  },
  terminalArgs: ({ model, sessionId }) => [
    ...safeArguments,
    ...(model === '' ? [] : ['--model', model]),
    '--resume',
    sessionId,
  ],
};

/** The Claude Agent SDK, with the same settings: it starts the same program. */
export const agentSdkRecipe: ProgramRecipe = {
  harness: sdkHarness,
  formatFor,
  prepare(start) {
    const { program: library, model, sessionId, isNew, maxTurns } = start;
    const options = {
      ...agentSdkOptions,
      maxTurns,
      ...(model === '' ? {} : { model }),
      ...(isNew ? { sessionId } : { resume: sessionId }),
    };
    return { args: agentSdkArgs({ library, options, free: freeTools }), env: claudeEnvironment(start) };
  },
};

function claudeEnvironment({ folders: { config, tmp }, choice, access, userHome }: RecipeStart) {
  linkLogin(userHome, config, choice === null);
  return {
    CLAUDE_CONFIG_DIR: config,
    CLAUDE_CODE_TMPDIR: tmp,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
    ...(access ? { ANTHROPIC_BASE_URL: access.url, ANTHROPIC_API_KEY: access.token } : {}),
  };
}

/**
 * Makes the program ask before each action, whatever the settings in the workspace are: they are not read, and a
 * rule that asks precedes one that allows.
 */
const settings = JSON.stringify({
  permissions: {
    ask: askedTools,
    allow: [`mcp__${hostServer}`],
    defaultMode: 'default',
    disableBypassPermissionsMode: 'disable',
  },
});

/** Make it ask, in a terminal, too. */
const safeArguments: readonly string[] = [
  '--permission-mode=default',
  '--setting-sources=user',
  '--strict-mcp-config',
  `--settings=${settings}`,
  `--tools=${claudeTools.join(',')}`,
];

/** Arguments of every start; a session id follows. */
export const claudeArguments: readonly string[] = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--include-partial-messages',
  '--replay-user-messages',
  '--permission-prompt-tool=stdio',
  ...safeArguments,
];

/** Options of every start of the SDK; those of a session follow. */
const agentSdkOptions = {
  permissionMode: 'default',
  settingSources: ['user'],
  strictMcpConfig: true,
  settings,
  tools: claudeTools,
  includePartialMessages: true,
  extraArgs: { 'replay-user-messages': null },
};

/** The program refreshes the operator's login itself, so it gets the file and not a copy. */
function linkLogin(userHome: string, config: string, isWanted: boolean): void {
  const login = join(userHome, '.claude', '.credentials.json');
  const link = join(config, '.credentials.json');
  if (isWanted === (linkTarget(link) === login)) return;
  rmSync(link, { force: true });
  if (isWanted && existsSync(login)) symlinkSync(login, link);
}

function linkTarget(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
