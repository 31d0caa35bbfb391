import type { MethodInput } from '../../contract/methods.ts';
import { type AgentDetail, channelTriggerSchema } from '../../contract/model.ts';
import { type ModelFlags, modelPatch, modelRows } from '../model-flags.ts';
import { kindOf } from '../runtime-kind.ts';
import { withHost } from '../session.ts';
import { splitPatterns } from '../split-patterns.ts';
import { exitOk, type SecretFlag, secretFlag, show, usage } from '../terminal.ts';

interface RuntimeFlags extends ModelFlags {
  readonly json?: boolean;
  readonly kind?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretFlag;
  readonly allowedTools?: string;
  readonly dockerImage?: string;
  readonly permissionMode?: string;
  readonly maxTurns?: string;
  readonly harness?: string;
  readonly onMention?: string;
  readonly onDm?: string;
  readonly holdFirstContact?: string;
  readonly channel: readonly string[];
}

type Patch = Omit<MethodInput<'agents.setRuntime'>, 'agent'>;

function onOff(flag: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw usage(`${flag} takes on or off.`);
  return value === 'on';
}

function turns(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw usage('--max-turns takes a whole number of at least 1.');
  return count;
}

function channelRules(pairs: readonly string[]): Patch['channels'] | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      const rule = channelTriggerSchema.safeParse(pair.slice(at + 1));
      if (at < 1 || !rule.success)
        throw usage('--channel takes ID=all, ID=unaddressed, ID=mention or ID=never.');
      return [pair.slice(0, at), rule.data];
    }),
  );
}

/** Only the given flags; an absent one keeps the value. */
async function runtimePatch(flags: RuntimeFlags): Promise<Patch> {
  const all = {
    kind: kindOf(flags.kind),
    provider: flags.provider,
    model: flags.model,
    baseUrl: flags.baseUrl,
    apiKey: await secretFlag(flags.apiKey, '--api-key'),
    allowedTools: flags.allowedTools === undefined ? undefined : [...splitPatterns(flags.allowedTools)],
    dockerImage: flags.dockerImage,
    permissionMode: flags.permissionMode,
    harness: flags.harness,
    maxTurns: turns(flags.maxTurns),
    onMention: onOff('--on-mention', flags.onMention),
    onDm: onOff('--on-dm', flags.onDm),
    holdFirstContact: onOff('--hold-first-contact', flags.holdFirstContact),
    channels: channelRules(flags.channel),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Patch;
}

function describe(detail: AgentDetail): string {
  const { runtime, triggers } = detail;
  const rows: [string, string][] = [
    ['Kind', runtime.kind],
    ['Provider', runtime.provider || `(default: ${detail.provider})`],
    ['Model', runtime.model || `(default: ${detail.model})`],
    ['Base URL', runtime.baseUrl || '(default)'],
    ['API key', runtime.apiKeySet ? 'set' : 'not set'],
    ['Tools', runtime.allowedTools.join(', ') || '(none)'],
    ['Image', runtime.dockerImage || '(default)'],
    ['Permission', runtime.permissionMode],
    ['Harness', runtime.harness],
    ['Max turns', String(runtime.maxTurns)],
    ...modelRows(detail).map(([name, value]): [string, string] => [name, value]),
    ['Mentions', triggers.on_mention ? 'on' : 'off'],
    ['Messages', triggers.on_dm ? 'on' : 'off'],
    ['Unknown', triggers.hold_first_contact ? 'wait for your yes' : 'answered'],
    ...Object.entries(triggers.channels).map(([id, rule]): [string, string] => [
      'Channel',
      `${id} = ${rule}`,
    ]),
  ];
  return [detail.id, ...rows.map(([name, value]) => `  ${name.padEnd(11)} ${value}`)].join('\n');
}

export async function runRuntime(args: readonly string[], flags: RuntimeFlags): Promise<number> {
  const agent = args[0] ?? '';
  const patch = await runtimePatch(flags);
  const model = modelPatch(flags);
  const setsRuntime = Object.keys(patch).length > 0;
  const setsModel = Object.keys(model).length > 0;
  const onlyLook = !setsRuntime && !setsModel;
  return withHost(onlyLook ? 'look' : 'files', async ({ call }) => {
    if (onlyLook) {
      const detail = await call('agents.get', { agent });
      show(
        flags.json === true,
        {
          id: detail.id,
          runtime: detail.runtime,
          triggers: detail.triggers,
          modelSettings: detail.modelSettings,
        },
        describe(detail),
      );
      return exitOk;
    }
    const set = setsRuntime
      ? await call('agents.setRuntime', { agent, ...patch })
      : { warning: '', ...(await call('agents.setModel', { agent, ...model })) };
    if (setsRuntime && setsModel) await call('agents.setModel', { agent, ...model });
    const note = set.warning === '' ? '' : `\nNote: ${set.warning}`;
    show(flags.json === true, set, `Saved the runtime of ${set.agent.id}.${note}`);
    return exitOk;
  });
}
