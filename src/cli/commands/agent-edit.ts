import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorLines } from '../../contract/error-text.ts';
import type { AgentDetail } from '../../contract/model.ts';
import { editFile } from '../editor.ts';
import { type ProfileFlags, profileInput } from '../profile-flags.ts';
import { type HostSession, withHost } from '../session.ts';
import { askInTerminal, CommandFailure, canAsk, exitOk, show, usage } from '../terminal.ts';

type Flags = ProfileFlags & { readonly json?: boolean };

async function applyProfile(session: HostSession, agent: string, flags: Flags): Promise<number> {
  const edited = await session.call('agents.edit', { agent, ...profileInput(flags) });
  const note = edited.warning === '' ? '' : `\nNote: ${edited.warning}`;
  show(flags.json === true, edited, `Saved ${edited.agent.id}.${note}`);
  return exitOk;
}

function describeProfile(detail: AgentDetail): string {
  return [
    `${detail.id}: ${detail.displayName}`,
    `  Role        ${detail.role || '(none)'}`,
    `  In a word   ${detail.roleShort || '(none)'}`,
    `  Soul        ${detail.soul === '' ? '(none)' : detail.soul.split('\n').join('\n              ')}`,
  ].join('\n');
}

export async function runProfile(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  const onlyLook = Object.keys(profileInput(flags)).length === 0;
  return withHost(onlyLook ? 'look' : 'files', async (session) => {
    if (!onlyLook) return applyProfile(session, agent, flags);
    const detail = await session.call('agents.get', { agent });
    const { id, displayName, avatarUrl, role, roleShort, soul } = detail;
    show(flags.json === true, { id, displayName, avatarUrl, role, roleShort, soul }, describeProfile(detail));
    return exitOk;
  });
}

/** Edits a copy, so that agent.yml only ever contains validated text. */
async function editInEditor(session: HostSession, agent: string, json: boolean): Promise<number> {
  const before = await session.call('agents.readConfig', { agent });
  const folder = mkdtempSync(join(tmpdir(), 'kennel-edit-'));
  const copy = join(folder, 'agent.yml');
  try {
    writeFileSync(copy, before.yaml, { mode: 0o600 });
    for (;;) {
      const yaml = editFile(copy);
      if (yaml === before.yaml) {
        show(json, { changed: false }, 'Nothing was changed.');
        return exitOk;
      }
      const saved = await session.client.call('agents.writeConfig', { agent, yaml });
      if (saved.ok) {
        show(json, { changed: true, path: before.path }, `Saved ${before.path}.`);
        return exitOk;
      }
      if (!canAsk()) throw new CommandFailure(saved.error);
      process.stderr.write(`${errorLines(saved.error)}\n`);
      if ((await askInTerminal('Edit again? [Y/n] ')).toLowerCase() === 'n')
        throw new CommandFailure(saved.error);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function runEdit(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  if (agent === '') throw usage('Which agent?');
  return withHost('files', (session) =>
    Object.keys(profileInput(flags)).length > 0
      ? applyProfile(session, agent, flags)
      : editInEditor(session, agent, flags.json === true),
  );
}
