import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { customHarness, harnessFacts } from '../../contract/harnesses.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { ModelFormat } from '../../core/runtimes/harness-ports.ts';
import { hostServer } from '../../core/runtimes/program/host-tools.ts';
import type { ProgramRecipe } from './program-recipe.ts';
import { openSettings, readProgramJson } from './program-settings.ts';

/** Holds the token of the model relay in the environment of a program whose settings are in a file. */
const tokenVariable = 'KENNEL_MODEL_TOKEN';

export const anyFormat = ({ adapter }: ModelChoice): ModelFormat | null => {
  switch (adapter) {
    case 'anthropic':
      return 'anthropic-messages';
    case 'openai-completions':
    case 'openai-responses':
      return 'openai-chat';
    case 'google':
      return 'gemini';
    default:
      return null;
  }
};

/** A wall hides folders, not what a link or file of this name is. */
const isNoFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;

const geminiRecipe: ProgramRecipe = {
  harness: 'gemini-cli',
  formatFor: ({ adapter }) => (adapter === 'google' ? 'gemini' : null),
  async prepare({ folders: { home }, model, access, cwd, hasWall }) {
    const settings = await openSettings(home, ['.gemini']);
    const own = join(cwd, '.gemini');
    // It connects to no MCP server in a workspace that it does not trust, and reads settings in one that it trusts.
    const isTrusted = hasWall && !isNoFolder(own);
    await settings.keepOnly(['tmp', 'history', 'projects.json', 'installation_id', 'GEMINI.md']);
    await settings.write('settings.json', {
      // Settings of the workspace could allow everything, so it is not trusted unless the wall hides them.
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      general: {
        enableAutoUpdate: false,
        enableAutoUpdateNotification: false,
        sessionRetention: { enabled: false },
      },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // A file `.env` of the workspace could name other settings.
      advanced: { ignoreLocalEnv: true },
      // The host asks for each call of its tools itself.
      mcp: { allowed: [hostServer] },
    });
    return {
      args: ['--acp', ...(model === '' ? [] : ['-m', model])],
      env: {
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: String(isTrusted),
        ...(access ? { GOOGLE_GEMINI_BASE_URL: access.url, GEMINI_API_KEY: access.token } : {}),
      },
      hidden: isTrusted ? [own] : [],
    };
  },
  terminalArgs: ({ model, sessionId }) => [...(model === '' ? [] : ['-m', model]), '--resume', sessionId],
};

/** Names of the formats in pi. */
const piApis: Partial<Record<ModelFormat, string>> = {
  'anthropic-messages': 'anthropic-messages',
  'openai-chat': 'openai-completions',
};

const piRecipe: ProgramRecipe = {
  harness: 'pi',
  formatFor: (choice) => {
    const format = anyFormat(choice);
    return format !== null && format in piApis ? format : null;
  },
  async prepare({ folders: { config }, choice, model, access }) {
    const format = choice && this.formatFor(choice);
    const settings = await openSettings(config);
    const baseUrl = format === 'anthropic-messages' ? access?.url : `${access?.url}/v1`;
    await settings.write('models.json', {
      providers: {
        kennel: {
          baseUrl,
          api: format === null ? '' : piApis[format],
          apiKey: `$${tokenVariable}`,
          models: [
            { id: model, name: model, input: ['text', 'image'], contextWindow: 200_000, maxTokens: 16_000 },
          ],
        },
      },
    });
    await settings.write('settings.json', {
      defaultProvider: 'kennel',
      defaultModel: model,
      quietStartup: true,
    });
    return {
      args: [],
      env: {
        PI_CODING_AGENT_DIR: config,
        PI_OFFLINE: '1',
        ...(access ? { [tokenVariable]: access.token } : {}),
      },
    };
  },
  async terminalArgs({ folders: { home }, sessionId }) {
    const file = await piSessionFile(home, sessionId);
    return file === null ? null : ['--session', file];
  },
};

const piSessions = z.object({ sessions: z.record(z.string(), z.object({ sessionFile: z.string() })) });

/** pi names a session by its file, which the adapter notes; `null` if it did not. */
async function piSessionFile(home: string, sessionId: string): Promise<string | null> {
  const map = piSessions.safeParse(await readProgramJson(home, join('.pi', 'pi-acp', 'session-map.json')));
  return map.data?.sessions[sessionId]?.sessionFile ?? null;
}

const openCodeRecipe: ProgramRecipe = {
  harness: 'opencode',
  formatFor: (choice) => {
    const format = anyFormat(choice);
    return format === 'gemini' ? null : format;
  },
  async prepare({ folders: { home, config }, choice, model, access }) {
    const isAnthropic = choice !== null && this.formatFor(choice) === 'anthropic-messages';
    const settings = {
      autoupdate: false,
      share: 'disabled',
      model: `kennel/${model}`,
      small_model: `kennel/${model}`,
      // A sub-agent that asks waits for ever, because its request does not reach the client.
      // The host asks for each call of its tools itself.
      permission: { '*': 'ask', [`${hostServer}_*`]: 'allow', task: 'deny' },
      provider: {
        kennel: {
          npm: isAnthropic ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible',
          name: 'Kennel',
          options: { baseURL: `${access?.url}/v1`, apiKey: `{env:${tokenVariable}}` },
          models: { [model]: { name: model } },
        },
      },
    };
    await (await openSettings(home, ['.config', 'opencode'])).keepOnly([]);
    const own = await openSettings(config);
    await own.keepOnly([]);
    await own.write('opencode.json', settings);
    return {
      args: ['acp'],
      env: {
        OPENCODE_CONFIG: join(config, 'opencode.json'),
        // Settings of the workspace could allow everything.
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_PERMISSION: JSON.stringify(settings.permission),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        ...(access ? { [tokenVariable]: access.token } : {}),
      },
    };
  },
  terminalArgs: ({ sessionId }) => ['--session', sessionId],
};

/** In TOML, a JSON string is a basic string. */
const toml = (value: string): string => JSON.stringify(value);

const codexRecipe: ProgramRecipe = {
  harness: 'codex',
  formatFor: ({ adapter }) => (adapter === 'openai-responses' ? 'openai-responses' : null),
  async prepare({ program, folders: { config }, model, access }) {
    const settings = await openSettings(config);
    await settings.keepOnly(['sessions', 'history.jsonl', 'AGENTS.md']);
    await settings.write(
      'config.toml',
      `model = ${toml(model)}
model_provider = "kennel"
check_for_update_on_startup = false

[model_providers.kennel]
name = "Kennel"
base_url = ${toml(`${access?.url}/v1`)}
env_key = "${tokenVariable}"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2

[analytics]
enabled = false
`,
    );
    return {
      args: [],
      env: {
        // Its own sandbox does not work if this is below TMPDIR, which is another folder.
        CODEX_HOME: config,
        CODEX_PATH: program,
        INITIAL_AGENT_MODE: harnessFacts('codex').mode ?? '',
        NO_BROWSER: '1',
        ...(access ? { [tokenVariable]: access.token, CODEX_API_KEY: access.token } : {}),
      },
    };
  },
};

/** Gets its model by the variables that most programs read. */
export const customRecipe: ProgramRecipe = {
  harness: customHarness,
  formatFor: anyFormat,
  prepare({ command, choice, model, access }) {
    const format = choice && anyFormat(choice);
    return {
      args: command.slice(1),
      env: access === null || format === null ? {} : { ...modelVariables(format, access), MODEL: model },
    };
  },
};

function modelVariables(
  format: ModelFormat,
  { url, token }: { readonly url: string; readonly token: string },
) {
  switch (format) {
    case 'anthropic-messages':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: token };
    case 'gemini':
      return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: token };
    default:
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: token };
  }
}

export const acpRecipes: readonly ProgramRecipe[] = [geminiRecipe, piRecipe, openCodeRecipe, codexRecipe];
