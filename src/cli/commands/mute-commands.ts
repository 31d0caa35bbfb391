// Mutes rooms and threads for the operator; nothing is sent.
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { utcSecond } from '../when.ts';

interface MuteFlags {
  readonly json?: boolean;
  readonly thread?: string;
  readonly for?: string;
  readonly mentions?: boolean;
}

const units = { m: 1, h: 60, d: 1440 } as const;

function minutesIn(text: string): number {
  const [, count = '', unit = 'h'] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count === '' || Number(count) === 0) throw commandFailure('invalid_input', 'cliChat.forForm');
  return Number(count) * units[unit as keyof typeof units];
}

const inThread = (thread: string | undefined) => (thread === undefined ? {} : { thread });

async function runMute([room = '']: readonly string[], flags: MuteFlags): Promise<number> {
  const minutes = flags.for === undefined ? null : minutesIn(flags.for);
  return withHost('running-host', async ({ call }) => {
    const { thread, mentions = true } = flags;
    const muted = await call('chat.mute', { room, minutes, mentions, ...inThread(thread) });
    const text =
      muted.until === null
        ? copy('cliChat.mutedUntilUnmuted')
        : copy('cliChat.mutedUntil', { until: utcSecond(muted.until) });
    show(flags.json === true, muted, mentions ? `${text} ${copy('cliChat.mentionsCount')}` : text);
    return exitOk;
  });
}

async function runUnmute([room = '']: readonly string[], { json, thread }: MuteFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('chat.mute', { room, on: false, ...inThread(thread) });
    show(json === true, {}, copy('cliChat.notMuted'));
    return exitOk;
  });
}

const thread = { flags: '--thread <message>' };

const mute = defineCommand({
  verb: 'mute',
  args: '<room>',
  options: [thread, { flags: '--for <time>' }, { flags: '--no-mentions' }],
  examples: ["chat mute '#general' --for 8h", 'chat mute guide', "chat mute '#general' --thread MESSAGE"],
  run: runMute,
});

const unmute = defineCommand({
  verb: 'unmute',
  args: '<room>',
  options: [thread],
  examples: ["chat unmute '#general'", 'chat unmute guide', "chat unmute '#general' --thread MESSAGE"],
  run: runUnmute,
});

export const muteCommands: readonly CommandSpec[] = [mute, unmute];
