/**
 * Maps a thinking level to Anthropic's parameters: models from 4.6 on decide themselves and take an effort;
 * older ones take a token budget inside the output limit; from 5.5 on thinking cannot be disabled.
 */
import type { ModelOptions, ThinkingLevel } from '../../core/models/model-ports.ts';

type Fields = Record<string, unknown>;
type Level = Exclude<ThinkingLevel, 'off'>;

interface Version {
  readonly family: string;
  /** 4.6 as 406; a name without a version counts as new. */
  readonly number: number;
}

const budgets: Readonly<Record<Level, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
  max: 65_536,
};
const minBudget = 1_024;
const unknownNumber = 406;

/**
 * Fields of the request body. A temperature is sent only where a model accepts one: without thinking, before
 * 5.
 */
export function anthropicThinking(model: string, options: ModelOptions): Fields {
  const { thinkingLevel: level, temperature } = options;
  const version = versionOf(model);
  const plain = temperature === undefined ? {} : { temperature };
  if (level === 'off') return switchedOff(version, plain);
  if (version.number >= 406) {
    // Newer models hide their thinking unless the request asks for a summary.
    const display = version.number >= 407 ? { display: 'summarized' } : {};
    const thinking = { type: 'adaptive', ...display };
    return { thinking, output_config: { effort: effortOf(level, version) } };
  }
  const budget = Math.min(budgets[level], options.maxOutputTokens - minBudget);
  if (version.number < 307 || budget < minBudget) return plain;
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

function switchedOff({ number, family }: Version, plain: Fields): Fields {
  if (number >= 505 || /fable|mythos/.test(family)) return { output_config: { effort: 'low' } };
  return number >= 500 ? { thinking: { type: 'disabled' } } : plain;
}

function effortOf(level: Level, { number, family }: Version): string {
  if (level === 'minimal') return 'low';
  if ((level !== 'xhigh' && level !== 'max') || number >= 407) return level;
  return level === 'max' && family === 'opus' ? 'max' : 'high';
}

/** `claude-opus-4-6`, `claude-sonnet-4-20250514`, `claude-3-7-sonnet-latest`. */
function versionOf(model: string): Version {
  const part = '(\\d{1,2})(?:[-.](\\d{1,2}))?(?!\\d)';
  const newer = new RegExp(`claude-([a-z]+)-${part}`).exec(model);
  const older = new RegExp(`claude-${part}-([a-z]+)`).exec(model);
  if (newer) return { family: newer[1] ?? '', number: Number(newer[2]) * 100 + Number(newer[3] ?? 0) };
  if (older) return { family: older[3] ?? '', number: Number(older[1]) * 100 + Number(older[2] ?? 0) };
  return { family: '', number: unknownNumber };
}
