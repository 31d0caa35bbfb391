import { join } from 'node:path';
import type { AgentDetail } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import { defineCommand } from '../command.ts';
import { copy, shownError } from '../copy.ts';
import { editText } from '../editor.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { type ProfileFlags, profileInput, profileOptions } from '../profile-flags.ts';
import { labelledLines } from '../table.ts';
import { askInTerminal, CommandFailure, canAsk, commandFailure, exitOk, show } from '../terminal.ts';

type Flags = ProfileFlags & { readonly json?: boolean };

type EditFlags = Flags & { readonly config?: boolean };

interface Draft {
  /** File name of the copy, which tells editors its format. */
  readonly name: string;
  readonly text: string;
  /** Printed after it was saved. */
  readonly saved: string;
  readonly path: string;
  save(text: string): Promise<Result<unknown>>;
}

async function applyProfile(
  { call }: HostSession,
  agent: string,
  profile: ReturnType<typeof profileInput>,
  json: boolean,
): Promise<number> {
  const edited = await call('agents.edit', { agent, ...profile });
  const note = edited.warning === '' ? '' : `\n${copy('cliTerminal.note', { note: edited.warning })}`;
  show(json, edited, `${copy('cliAgents.saved', { id: edited.agent.id })}${note}`);
  return exitOk;
}

function describeProfile(detail: AgentDetail): string {
  const none = copy('cliValues.none');
  const [first = '', ...more] = (detail.soul || none).split('\n');
  const rows: readonly (readonly [string, string])[] = [
    [copy('cliAgents.label_role'), detail.role || none],
    [copy('cliAgents.label_inAWord'), detail.roleShort || none],
    [copy('cliAgents.label_soul'), first],
    ...more.map((line) => ['', line] as const),
  ];
  return [`${detail.id}: ${detail.displayName}`, ...labelledLines(rows, 11)].join('\n');
}

async function runProfile(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  const profile = profileInput(flags);
  const onlyLook = Object.keys(profile).length === 0;
  return withHost(onlyLook ? 'look' : 'files', async (session) => {
    if (!onlyLook) return applyProfile(session, agent, profile, flags.json === true);
    const detail = await session.call('agents.get', { agent });
    const { id, displayName, avatarUrl, role, roleShort, soul } = detail;
    show(flags.json === true, { id, displayName, avatarUrl, role, roleShort, soul }, describeProfile(detail));
    return exitOk;
  });
}

/** Edits a copy, so that the agent's files only ever contain validated text. */
async function editInEditor(
  { name, text, saved: savedText, path, save }: Draft,
  json: boolean,
): Promise<number> {
  let edited = text;
  for (;;) {
    edited = editText(name, edited);
    if (edited === text) {
      show(json, { changed: false }, copy('cliTerminal.nothingChanged'));
      return exitOk;
    }
    const saved = await save(edited);
    if (saved.ok) {
      show(json, { changed: true, path }, savedText);
      return exitOk;
    }
    if (json || !canAsk()) throw new CommandFailure(saved.error);
    process.stderr.write(`${shownError(saved.error)}\n`);
    if ((await askInTerminal(`${copy('cliAgents.editAgain')} `)).toLowerCase() === 'n')
      throw new CommandFailure(saved.error);
  }
}

async function configDraft({ call, client }: HostSession, agent: string): Promise<Draft> {
  const { yaml, path } = await call('agents.readConfig', { agent });
  const save = (edited: string) => client.call('agents.writeConfig', { agent, yaml: edited });
  return { name: 'agent.yml', text: yaml, saved: copy('cliAgents.savedFile', { path }), path, save };
}

async function soulDraft({ call, client }: HostSession, agent: string): Promise<Draft> {
  const { id, soul, folder } = await call('agents.get', { agent });
  return {
    name: 'profile.md',
    text: soul === '' ? '' : `${soul.trimEnd()}\n`,
    saved: copy('cliAgents.savedSoul', { id }),
    path: join(folder, 'profile.md'),
    save: (edited) => client.call('agents.edit', { agent, soul: edited }),
  };
}

async function runEdit(args: readonly string[], flags: EditFlags): Promise<number> {
  const agent = args[0] ?? '';
  const profile = profileInput(flags);
  const setsProfile = Object.keys(profile).length > 0;
  if (flags.config && setsProfile) throw commandFailure('invalid_input', 'cliAgents.configAlone');
  return withHost('files', async (session) => {
    if (setsProfile) return applyProfile(session, agent, profile, flags.json === true);
    const draft = flags.config ? await configDraft(session, agent) : await soulDraft(session, agent);
    return editInEditor(draft, flags.json === true);
  });
}

export const editCommand = defineCommand({
  verb: 'edit',
  args: '<agent>',
  options: [...profileOptions, { flags: '--config' }],
  examples: [
    'agent edit guide',
    'agent edit guide --config',
    'agent edit guide --role "Knows the garden" --avatar face.png',
  ],
  run: runEdit,
});

export const profileCommand = defineCommand({
  verb: 'profile',
  args: '<agent>',
  options: profileOptions,
  examples: [
    'agent profile guide',
    'agent profile guide --display-name "Garden guide"',
    'agent profile guide --soul soul.md',
  ],
  run: runProfile,
});
