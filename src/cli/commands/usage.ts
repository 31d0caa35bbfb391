import type { MethodOutput } from '../../contract/methods.ts';
import { shownUses } from '../../contract/shown-limits.ts';
import type { Budget, Spend, UsageView } from '../../contract/work.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, flatLines, type SafeText } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { parseWholeNumber } from '../whole-number.ts';

interface UsageFlags {
  readonly json?: boolean;
  readonly days?: string;
}

interface BudgetFlags {
  readonly json?: boolean;
  readonly usdPerDay?: string;
  readonly usdPerMonth?: string;
  readonly tokensPerDay?: string;
  readonly tokensPerMonth?: string;
}

const dollars = (usd: number): string => `$${usd > 0 && usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2)}`;
const calls = (count: number): string => copy('cliUsage.calls', { count });

function money({ usd, unpriced, simulated }: Pick<Spend, 'usd' | 'unpriced' | 'simulated'>): string {
  if (usd === null) return copy('cliUsage.priceUnknown');
  const sum = dollars(usd);
  if (unpriced > 0) return copy('cliUsage.unknownToo', { sum });
  return simulated ? copy('cliUsage.simulatedPrices', { sum }) : sum;
}

const tokenText = (tokens: number): string => copy('cliValues.tokens', { tokens });

const spent = (spend: Spend): string => `${tokenText(spend.tokens)}, ${money(spend)}`;

/** A table below an empty line, or nothing without rows. */
const section = (rows: readonly (readonly string[])[]): readonly (string | SafeText)[] =>
  rows.length === 0 ? [] : ['', columnsText([], rows)];

function limits({ usdPerDay, usdPerMonth, tokensPerDay, tokensPerMonth }: Budget): readonly string[] {
  return [
    ...(usdPerDay === null ? [] : [copy('cliUsage.dollarsPerDay', { sum: dollars(usdPerDay) })]),
    ...(usdPerMonth === null ? [] : [copy('cliUsage.dollarsPerMonth', { sum: dollars(usdPerMonth) })]),
    ...(tokensPerDay === null ? [] : [copy('cliUsage.tokensPerDay', { tokens: tokensPerDay })]),
    ...(tokensPerMonth === null ? [] : [copy('cliUsage.tokensPerMonth', { tokens: tokensPerMonth })]),
  ];
}

function budgetLines({ budget, used }: Pick<UsageView, 'budget' | 'used'>): string[] {
  const shares = shownUses(used).map(({ limit, scope, simulated, share }) =>
    [
      copy(`cliUsage.limit_${limit}`, { share: Math.floor(share * 100) }),
      ...(simulated ? [copy('cliUsage.simulated')] : []),
      ...(scope === 'total' ? [copy('cliUsage.allAgents')] : []),
    ].join(', '),
  );
  return flatLines([
    [copy('cliUsage.budget'), limits(budget).join(', ') || copy('cliUsage.noBudget')],
    ...(shares.length === 0 ? [] : [[copy('cliUsage.used'), shares.join(', ')] as const]),
  ]);
}

function describe(view: MethodOutput<'usage.get'>): readonly (string | SafeText)[] {
  const days = view.days.filter((day) => day.calls > 0);
  const tokens = (day: (typeof days)[number]): number =>
    day.input + day.output + day.cacheRead + day.cacheWrite;
  const models = view.byModel.map((row) => [
    `${row.provider}/${row.model}`,
    calls(row.calls),
    spent(row.spend),
  ]);
  return [
    ...flatLines([
      [copy('cliUsage.today'), spent(view.today)],
      [copy('cliUsage.month'), spent(view.month)],
    ]),
    ...budgetLines(view),
    ...section(days.map((day) => [day.day, calls(day.calls), tokenText(tokens(day)), money(day)])),
    ...section(models),
  ];
}

const agentOf = (args: readonly string[]) => (args[0] ? { agent: args[0] } : {});

async function runUsage(args: readonly string[], flags: UsageFlags): Promise<number> {
  const days = parseWholeNumber('--days', flags.days ?? '30', 1, 366);
  return withHost('running-host', async ({ call }) => {
    const view = await call('usage.get', { ...agentOf(args), days });
    show(flags.json === true, view, describe(view));
    return exitOk;
  });
}

/** `none` removes the limit; an absent flag keeps it. */
function limit(flag: string, value: string | undefined, before: number | null): number | null {
  if (value === undefined) return before;
  if (value === 'none') return null;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const fits = number >= 0 && Number.isFinite(number) && (flag.includes('usd') || Number.isInteger(number));
  if (!fits) throw commandFailure('invalid_input', 'cliTerminal.takesNumberOrNone', { flag });
  return number;
}

async function runBudget(args: readonly string[], flags: BudgetFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const before = await call('usage.get', { ...agentOf(args), days: 1 });
    const budget: Budget = {
      usdPerDay: limit('--usd-per-day', flags.usdPerDay, before.budget.usdPerDay),
      usdPerMonth: limit('--usd-per-month', flags.usdPerMonth, before.budget.usdPerMonth),
      tokensPerDay: limit('--tokens-per-day', flags.tokensPerDay, before.budget.tokensPerDay),
      tokensPerMonth: limit('--tokens-per-month', flags.tokensPerMonth, before.budget.tokensPerMonth),
    };
    const changed = JSON.stringify(budget) !== JSON.stringify({ ...budget, ...before.budget });
    if (changed) await call('usage.setBudget', { ...agentOf(args), budget });
    const after = changed ? await call('usage.get', { ...agentOf(args), days: 1 }) : before;
    const values = { budget: after.budget, used: after.used };
    show(flags.json === true, values, budgetLines(after).join('\n'));
    return exitOk;
  });
}

export const usageCommand = defineCommand({
  verb: '',
  args: '[agent]',
  options: [{ flags: '--days <number>', fallback: '30' }],
  examples: ['usage', 'usage guide --days 7', "usage --json | jq '.today.usd'"],
  run: runUsage,
});

export const budgetCommand = defineCommand({
  verb: '',
  args: '[agent]',
  options: [
    { flags: '--usd-per-day <sum>' },
    { flags: '--usd-per-month <sum>' },
    { flags: '--tokens-per-day <number>' },
    { flags: '--tokens-per-month <number>' },
  ],
  examples: ['budget', 'budget --usd-per-day 5', 'budget guide --tokens-per-day none'],
  run: runBudget,
});
