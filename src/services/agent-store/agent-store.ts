/**
 * The agents of a data folder: read, watched, changed. The files on disk are the truth; this promises to
 * notice their changes and never to lose unknown content.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../contract/result.ts';
import { isAgentId } from '../../core/agents/agent-config.ts';
import { formatRuntimeStatus, parseRuntimeStatus } from '../../core/agents/runtime-status.ts';
import {
  archiveAgent,
  changeAgent,
  clearUnfinishedEdits,
  createAgentFolder,
  deleteAgent,
  type EditDeps,
  noAgent,
  writeChecked,
} from './agent-edits.ts';
import {
  configFile,
  maxConfigBytes,
  maxProfileBytes,
  memoryFolder,
  profilePath,
  requestContent,
  requestPath,
} from './agent-folder.ts';
import type { AgentStore, LoadedAgent, StoredMemoryNote } from './agent-types.ts';
import { AgentWatch, type AgentWatchDeps } from './agent-watch.ts';
import { LoadedAgents, type LoadedAgentsDeps } from './loaded-agents.ts';
import { openNoteProvenance } from './note-provenance.ts';
import { readNotes } from './read-notes.ts';

export type AgentStoreDeps = EditDeps & LoadedAgentsDeps & Pick<AgentWatchDeps, 'watchFolder' | 'sweepMs'>;

type Changed = (ids: readonly string[]) => void;

type Editing = Pick<
  AgentStore,
  | 'create'
  | 'update'
  | 'setState'
  | 'readConfig'
  | 'writeConfig'
  | 'request'
  | 'clearRequest'
  | 'archive'
  | 'delete'
>;

function createEditing(deps: AgentStoreDeps, loaded: LoadedAgents, changed: Changed): Editing {
  const { disk } = deps;
  const known = (id: string): Result<LoadedAgent> => {
    const agent = isAgentId(id) ? loaded.get(id) : null;
    return agent ? ok(agent) : err(noAgent(id));
  };
  /** A file just written counts as complete, so it is in force when the call returns. */
  const settled = (id: string): Result<LoadedAgent> => {
    if (loaded.check(id, true)) changed([id]);
    return known(id);
  };
  const gone = (): void => {
    const ids = loaded.checkFolders();
    if (ids.length > 0) changed(ids);
  };
  const update: AgentStore['update'] = (id, change) => {
    const agent = known(id);
    if (!agent.ok) return agent;
    const done = changeAgent(deps, id, change);
    return done.ok ? settled(id) : done;
  };
  return {
    create: (agent) => {
      // Reads the existing agents first, so that the new one is reported as a change.
      loaded.list();
      const made = createAgentFolder(deps, agent);
      return made.ok ? settled(agent.id) : made;
    },
    update,
    setState: (id, state) => update(id, { state }),
    readConfig: (id) => {
      const agent = known(id);
      if (!agent.ok) return agent;
      const path = join(agent.value.folder, configFile);
      const text = disk.readText(path, maxConfigBytes);
      return text.ok ? ok({ yaml: text.value ?? '', path }) : text;
    },
    writeConfig: (id, yaml) => {
      const agent = known(id);
      if (!agent.ok) return agent;
      const done = writeChecked(disk, join(agent.value.folder, configFile), yaml);
      return done.ok ? settled(id) : done;
    },
    request: (id, request) => {
      const agent = known(id);
      if (!agent.ok) return agent;
      const done = disk.write(requestPath(agent.value.folder, request), requestContent);
      if (done.ok && loaded.check(id)) changed([id]);
      return done;
    },
    clearRequest: (id, request) => {
      const agent = known(id);
      if (!agent.ok) return agent;
      const done = disk.remove(requestPath(agent.value.folder, request));
      loaded.check(id);
      return done;
    },
    archive: (id, by) => {
      const agent = known(id);
      if (!agent.ok) return agent;
      const done = archiveAgent(deps, id, by);
      gone();
      return done;
    },
    delete: (id) => {
      const agent = known(id);
      if (!agent.ok) return agent;
      const done = deleteAgent(deps, id);
      gone();
      return done;
    },
  };
}

type Documents = Pick<
  AgentStore,
  'readProfile' | 'writeProfile' | 'readMemory' | 'readRuntimeStatus' | 'writeRuntimeStatus'
>;

const statusFile = 'runtime.json';
const maxStatusBytes = 64 * 1024;

function createDocuments(deps: AgentStoreDeps, loaded: LoadedAgents, changed: Changed): Documents {
  const { disk } = deps;
  const lastStatus = new Map<string, string>();
  return {
    readProfile: (id) => {
      const agent = loaded.get(id);
      if (!agent) return err(noAgent(id));
      const text = disk.readText(profilePath(agent.folder, agent.lastGood), maxProfileBytes);
      return text.ok ? ok(text.value ?? '') : text;
    },
    writeProfile: (id, text) => {
      const agent = loaded.get(id);
      if (!agent) return err(noAgent(id));
      const done = disk.write(profilePath(agent.folder, agent.lastGood), text);
      if (done.ok && loaded.check(id)) changed([id]);
      return done;
    },
    readMemory: (id) => {
      const agent = loaded.get(id);
      if (!agent) return err(noAgent(id));
      const folder = memoryFolder(agent.folder, agent.lastGood);
      const notes = readNotes(folder, disk);
      if (!notes.ok) return notes;
      const provenance = openNoteProvenance(folder, disk);
      return ok(
        notes.value.map(({ text, ...note }): StoredMemoryNote => {
          const { trusted, untrusted } = provenance.split(text);
          return { ...note, text: trusted, untrusted };
        }),
      );
    },
    readRuntimeStatus: (id) => {
      const agent = loaded.get(id);
      const text = agent ? disk.readText(join(agent.folder, statusFile), maxStatusBytes) : ok(null);
      return text.ok && text.value !== null ? parseRuntimeStatus(text.value) : null;
    },
    writeRuntimeStatus: (id, status) => {
      const agent = loaded.get(id);
      // A folder that was just deleted must not reappear with only a status file in it.
      if (!agent || !existsSync(join(agent.folder, configFile))) {
        lastStatus.delete(id);
        return err(noAgent(id));
      }
      const essence = formatRuntimeStatus({ ...status, updated_at: 0 });
      if (lastStatus.get(id) === essence) return ok(undefined);
      const done = disk.write(join(agent.folder, statusFile), formatRuntimeStatus(status), 'fleeting');
      if (done.ok) lastStatus.set(id, essence);
      return done;
    },
  };
}

export function createAgentStore(deps: AgentStoreDeps): AgentStore {
  const loaded = new LoadedAgents(deps);
  const listeners = new Set<Changed>();
  let watching: AgentWatch | null = null;
  const tell: Changed = (ids) => {
    for (const listener of listeners) listener(ids);
  };
  const changed: Changed = (ids) => (watching ? watching.report(ids) : tell(ids));
  return {
    list: () => loaded.list(),
    get: (id) => loaded.get(id),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      if (watching) return;
      clearUnfinishedEdits(deps);
      const { clock, log, watchFolder, sweepMs } = deps;
      watching = new AgentWatch({
        loaded,
        clock,
        log,
        changed: tell,
        ...(watchFolder ? { watchFolder } : {}),
        ...(sweepMs ? { sweepMs } : {}),
      });
    },
    stop: () => {
      watching?.stop();
      watching = null;
    },
    retryKeys: () => {
      const ids = loaded.forgetRefusedKeys().filter((id) => loaded.check(id, true));
      if (ids.length > 0) changed(ids);
    },
    ...createEditing(deps, loaded, changed),
    ...createDocuments(deps, loaded, changed),
  };
}
