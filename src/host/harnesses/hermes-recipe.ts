import { hermesModel } from '../../core/runtimes/lines/lines-output.ts';
import { anyFormat } from './acp-recipes.ts';
import type { ProgramRecipe } from './program-recipe.ts';
import { openSettings } from './program-settings.ts';

/** Hermes prints its reply and ends; the message comes on its standard input. */
export const hermesRecipe: ProgramRecipe = {
  harness: 'hermes',
  formatFor: (choice) => {
    const format = anyFormat(choice);
    return format === 'gemini' ? null : format;
  },
  async prepare({ folders: { config }, choice, model, access, sessionId, isNew }) {
    const isAnthropic = choice !== null && this.formatFor(choice) === 'anthropic-messages';
    const address = isAnthropic ? access?.url : `${access?.url}/v1`;
    const provider = isAnthropic ? 'anthropic' : 'custom';
    const name = isAnthropic ? hermesModel(model) : model;
    const settings = await openSettings(config);
    await settings.keepOnly(['sessions', 'state.db', 'state.db-shm', 'state.db-wal', 'memories', 'SOUL.md']);
    await settings.write('config.yaml', { model: { default: name, provider, base_url: address } });
    const args = ['chat', '--quiet', '--query-file', '-', '--yolo', '--model', name, '--provider', provider];
    return {
      args: [...args, ...(isNew ? [] : ['--resume', sessionId])],
      env: {
        HERMES_HOME: config,
        ...(access && isAnthropic
          ? { ANTHROPIC_BASE_URL: access.url, ANTHROPIC_API_KEY: access.token }
          : access
            ? { OPENAI_BASE_URL: `${access.url}/v1`, OPENAI_API_KEY: access.token }
            : {}),
      },
    };
  },
};
