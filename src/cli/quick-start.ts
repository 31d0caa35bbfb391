import { runStart } from './commands/start.ts';
import { tellFailure } from './failure.ts';

/** `start` with flags that need no parser; `kennel.ts` has checked them. */
export async function runQuickStart(words: readonly string[]): Promise<number> {
  const json = words.includes('--json');
  const demo = words.includes('--demo') ? { demo: true } : words.includes('--no-demo') ? { demo: false } : {};
  try {
    return await runStart([], { json, web: !words.includes('--no-web'), ...demo });
  } catch (error) {
    return tellFailure(error, json);
  }
}
