import type { MethodInput } from '../../contract/methods.ts';
import type { AgentDetail, ChannelTrigger } from '../../contract/model.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { type ModelFlags, modelOptions, modelPatch, modelRows } from '../model-flags.ts';
import { kindOf } from '../runtime-kind.ts';
import { splitPatterns } from '../split-patterns.ts';
import { labelledLines } from '../table.ts';
import { commandFailure, exitOk, type SecretFlag, secretFlag, show } from '../terminal.ts';
import { namesOf } from '../union-names.ts';

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
  if (value !== 'on' && value !== 'off')
    throw commandFailure('invalid_input', 'cliTerminal.onOrOff', { flag });
  return value === 'on';
}

function turns(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw commandFailure('invalid_input', 'cliAgents.wholeAbove', { flag: '--max-turns', least: 1 });
  return count;
}

const channelTriggers = namesOf<ChannelTrigger>({ all: true, unaddressed: true, mention: true, never: true });

function channelRules(pairs: readonly string[]): Patch['channels'] | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      const rule = channelTriggers.find((each) => each === pair.slice(at + 1));
      if (at < 1 || !rule) throw commandFailure('invalid_input', 'cliAgents.channelForm');
      return [pair.slice(0, at), rule];
    }),
  );
}

/** Only the given flags; an absent one keeps the value. */
async function runtimePatch(flags: RuntimeFlags): Promise<Patch> {
  const all = {
    kind: await kindOf(flags.kind),
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
  const usual = (value: string): string => copy('cliValues.defaultIs', { value });
  const onOrOff = (on: boolean): string => copy(on ? 'cliValues.on' : 'cliValues.off');
  const rows: readonly (readonly [string, string])[] = [
    [copy('cliAgents.label_kind'), runtime.kind],
    [copy('cliAgents.label_provider'), runtime.provider || usual(detail.provider)],
    [copy('cliAgents.label_model'), runtime.model || usual(detail.model)],
    [copy('cliAgents.label_baseUrl'), runtime.baseUrl || copy('cliValues.default')],
    [
      copy('cliAgents.label_apiKey'),
      copy(runtime.apiKeySet ? 'cliAgents.apiKeySet' : 'cliAgents.apiKeyNotSet'),
    ],
    [copy('cliAgents.label_tools'), runtime.allowedTools.join(', ') || copy('cliValues.none')],
    [copy('cliAgents.label_image'), runtime.dockerImage || copy('cliValues.default')],
    [copy('cliAgents.label_permission'), runtime.permissionMode],
    [copy('cliAgents.label_harness'), runtime.harness],
    [copy('cliAgents.label_maxTurns'), String(runtime.maxTurns)],
    ...modelRows(detail),
    [copy('cliAgents.label_mentions'), onOrOff(triggers.on_mention)],
    [copy('cliAgents.label_directMessages'), onOrOff(triggers.on_dm)],
    [
      copy('cliAgents.label_unknown'),
      copy(triggers.hold_first_contact ? 'cliAgents.waitForYes' : 'cliAgents.answered'),
    ],
    ...Object.entries(triggers.channels).map(
      ([id, rule]) => [copy('cliAgents.label_channel'), `${id} = ${rule}`] as const,
    ),
  ];
  return [detail.id, ...labelledLines(rows, 11)].join('\n');
}

async function runRuntime(args: readonly string[], flags: RuntimeFlags): Promise<number> {
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
    const note = set.warning === '' ? '' : `\n${copy('cliTerminal.note', { note: set.warning })}`;
    show(flags.json === true, set, `${copy('cliAgents.runtimeSaved', { id: set.agent.id })}${note}`);
    return exitOk;
  });
}

export const runtimeCommand = defineCommand({
  verb: 'runtime',
  args: '<agent>',
  options: [
    { flags: '--kind <chat-local|sdk-local|cli-local|cli-docker>' },
    ...modelOptions,
    { flags: '--allowed-tools <patterns>' },
    { flags: '--docker-image <name>' },
    { flags: '--permission-mode <mode>' },
    { flags: '--max-turns <number>' },
    { flags: '--context-window <tokens>' },
    { flags: '--max-output <tokens>' },
    { flags: '--temperature <number>' },
    { flags: '--native-tools <on|off|auto>' },
    {
      flags: '--price <in,out>',
    },
    { flags: '--on-mention <on|off>' },
    { flags: '--on-dm <on|off>' },
    { flags: '--hold-first-contact <on|off>' },
    {
      flags: '--channel <id=all|unaddressed|mention|never>',
      isRepeatable: true,
    },
  ],
  examples: [
    'agent runtime guide',
    'agent runtime guide --provider anthropic --model claude-sonnet-5',
    'agent runtime guide --on-mention off --channel CHANNEL=all',
  ],
  run: runRuntime,
});
