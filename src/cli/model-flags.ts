import type { MethodInput } from '../contract/methods.ts';
import type { AgentDetail } from '../contract/model.ts';
import type { OptionSpec } from './command.ts';
import { copy } from './copy.ts';
import { commandFailure } from './terminal.ts';

export interface ModelFlags {
  readonly contextWindow?: string;
  readonly maxOutput?: string;
  readonly temperature?: string;
  readonly nativeTools?: string;
  readonly price?: string;
}

/** The model of an agent, for the commands that create or change one. */
export const modelOptions: readonly OptionSpec[] = [
  { flags: '--provider <name>' },
  { flags: '--model <name>' },
  { flags: '--base-url <url>' },
  { flags: '--api-key [key]' },
  { flags: '--harness <name>' },
];

type Patch = Omit<MethodInput<'agents.setModel'>, 'agent'>;

/** `auto` removes the setting; an absent flag keeps it. */
function orAuto<T>(value: string | undefined, read: (value: string) => T): T | null | undefined {
  if (value === undefined) return undefined;
  return value === 'auto' ? null : read(value);
}

function numberOf(flag: string, value: string, whole: boolean): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const fits = number >= 0 && Number.isFinite(number) && (!whole || Number.isInteger(number));
  if (!fits)
    throw commandFailure('invalid_input', whole ? 'cliAgents.tokensOrAuto' : 'cliAgents.numberOrAuto', {
      flag,
    });
  return number;
}

function switchOf(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw commandFailure('invalid_input', 'cliAgents.onOffAuto');
  return value === 'on';
}

function priceOf(value: string): NonNullable<Patch['price']> {
  const parts = value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [input, output, cacheRead, cacheWrite] = parts;
  const fits = parts.length <= 4 && parts.every((part) => part >= 0 && Number.isFinite(part));
  if (!fits || input === undefined || output === undefined)
    throw commandFailure('invalid_input', 'cliAgents.priceForm');
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** Only the given flags. */
export function modelPatch(flags: ModelFlags): Patch {
  const all = {
    contextWindow: orAuto(flags.contextWindow, (value) => numberOf('--context-window', value, true)),
    maxOutputTokens: orAuto(flags.maxOutput, (value) => numberOf('--max-output', value, true)),
    temperature: orAuto(flags.temperature, (value) => numberOf('--temperature', value, false)),
    nativeTools: orAuto(flags.nativeTools, switchOf),
    price: orAuto(flags.price, priceOf),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Patch;
}

const whole = (tokens: number): string => copy('cliValues.tokens', { tokens });

export function modelRows({ modelSettings: set }: AgentDetail): readonly (readonly [string, string])[] {
  const { price } = set;
  const rows: (readonly [string, string | null])[] = [
    [copy('cliAgents.label_window'), set.contextWindow === null ? null : whole(set.contextWindow)],
    [copy('cliAgents.label_maxOutput'), set.maxOutputTokens === null ? null : whole(set.maxOutputTokens)],
    [copy('cliAgents.label_temperature'), set.temperature === null ? null : String(set.temperature)],
    [
      copy('cliAgents.label_toolCalls'),
      set.nativeTools === null ? null : copy(set.nativeTools ? 'cliAgents.native' : 'cliAgents.written'),
    ],
    [
      copy('cliAgents.label_price'),
      price && copy('cliAgents.priceInOut', { input: price.input, output: price.output }),
    ],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}
