import { existsSync } from 'node:fs';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { SkillView } from '../../contract/skill-methods.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { SkillFiles } from '../../services/tools/skills/skill-folder.ts';
import type { WorkspaceSkill, WorkspaceSkills } from '../../services/tools/skills/workspace-skills.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import { type AgentFolders, workspaceFiles } from '../fleet/agent-folders.ts';
import { installedRecord, skillShelf } from '../fleet/agent-skills.ts';
import type { Git } from '../worktrees/git.ts';
import {
  type PlacedSkill,
  placesOf,
  readPlaces,
  sharedSkills,
  skillPinsFile,
  skillsOfAgent,
} from './skill-places.ts';
import { createSkillStore, installedFiles } from './skill-store.ts';
import { viewFiles, viewOffer, viewPlaced, viewProject, viewUnreadable } from './skill-view.ts';

type Looks = Pick<Handlers, 'skills.list' | 'skills.show'>;
type Installs = Pick<Handlers, 'skills.preview' | 'skills.install' | 'skills.remove'>;
type Decides = Pick<Handlers, 'skills.switch' | 'skills.accept'>;

export interface SkillHandlerDeps {
  readonly home: string;
  /** Absolute; empty if none. */
  readonly skillsDir: () => string;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly folders: Pick<AgentFolders, 'roots'>;
  readonly ports: { readonly disk: DiskPort; readonly clock: Clock };
  readonly loadGit: () => Promise<Git>;
}

/** A skill with what its files are read from. */
interface Listed {
  readonly view: SkillView;
  readonly files: () => Promise<Result<SkillFiles>>;
}

const notThere = (name: string) => err(fail('not_found', 'skills.unknown', { name }));

/** The skills of an agent, or those of all agents. */
class SkillsOf {
  readonly #deps: SkillHandlerDeps;
  readonly agent: LoadedAgent | null;

  constructor(deps: SkillHandlerDeps, agent: LoadedAgent | null) {
    this.#deps = deps;
    this.agent = agent;
  }

  /** Where a skill is installed. */
  get place(): string {
    return this.agent ? skillsOfAgent(this.agent.folder) : sharedSkills(this.#deps.home);
  }

  placed(): readonly PlacedSkill[] {
    const { home, skillsDir, ports } = this.#deps;
    return readPlaces(ports.disk, placesOf(home, skillsDir(), this.agent?.folder ?? null));
  }

  async list(): Promise<Result<readonly Listed[]>> {
    const { disk } = this.#deps.ports;
    const record = this.agent && installedRecord(disk, this.agent);
    const placed = this.placed().map(
      (skill): Listed => ({ view: viewPlaced(skill, record), files: async () => skill.content }),
    );
    const project = this.agent ? await this.#project(this.agent) : ok([]);
    if (!project.ok) return project;
    return ok([...project.value, ...placed].sort((a, b) => (a.view.name < b.view.name ? -1 : 1)));
  }

  /** The workspace and its skills; `null` if it does not exist yet. */
  workspace(agent: LoadedAgent): { readonly cwd: string; readonly shelf: WorkspaceSkills } | null {
    const { cwd } = this.#deps.folders.roots(agent, configInForce(agent));
    if (!existsSync(cwd)) return null;
    return { cwd, shelf: skillShelf(this.#deps.ports.disk, agent, workspaceFiles(cwd)) };
  }

  async #project(agent: LoadedAgent): Promise<Result<readonly Listed[]>> {
    const workspace = this.workspace(agent);
    if (!workspace) return ok([]);
    const { cwd, shelf } = workspace;
    const survey = await shelf.survey();
    if (!survey.ok) return survey;
    const files = ({ folder, name }: WorkspaceSkill) => shelf.files(folder, name);
    const { skills, unreadable } = survey.value;
    return ok([
      ...skills
        .filter(({ copied, known }) => !(copied && known))
        .map((skill): Listed => ({ view: viewProject(skill, cwd), files: () => files(skill) })),
      ...unreadable.map(
        (skill): Listed => ({
          view: viewUnreadable(skill, cwd),
          files: () => shelf.files(skill.folder, skill.name),
        }),
      ),
    ]);
  }

  /** The skill that counts, or the one in `folder`. */
  async find(name: string, folder: string | undefined): Promise<Result<Listed>> {
    const listed = await this.list();
    if (!listed.ok) return listed;
    const named = listed.value.filter(({ view }) => view.name === name);
    const found = named.find(({ view }) =>
      folder === undefined ? view.state !== 'hidden' : view.folder === folder,
    );
    return found ? ok(found) : notThere(name);
  }
}

type Opened = (agent: string | undefined) => Result<SkillsOf>;

const createLooks = (open: Opened): Looks => ({
  'skills.list': async ({ agent }) => {
    const skills = open(agent);
    if (!skills.ok) return skills;
    const listed = await skills.value.list();
    return listed.ok ? ok({ skills: listed.value.map(({ view }) => view) }) : listed;
  },
  'skills.show': async ({ agent, name, folder }) => {
    const skills = open(agent);
    if (!skills.ok) return skills;
    const found = await skills.value.find(name, folder);
    if (!found.ok) return found;
    const files = await found.value.files();
    return files.ok ? ok({ skill: found.value.view, files: viewFiles(files.value) }) : files;
  },
});

function createInstalls(open: Opened, { ports, loadGit }: SkillHandlerDeps): Installs {
  const store = createSkillStore(ports);
  // Loaded on demand to keep startup fast.
  const openSource = async (path: string) =>
    (await import('./skill-source.ts')).openSkillSource(path, loadGit);
  const pinnedSource = (place: string, name: string): Result<string> => {
    const pins = skillPinsFile(ports.disk, place).read();
    if (!pins.ok) return pins;
    const source = new Map(Object.entries(pins.value?.skills ?? {})).get(name)?.source;
    return source === undefined ? err(fail('not_found', 'skills.notInstalled', { name })) : ok(source);
  };
  return {
    'skills.preview': async ({ agent, source, name }) => {
      const skills = open(agent);
      if (!skills.ok) return skills;
      const { place } = skills.value;
      const path = source === undefined ? pinnedSource(place, name ?? '') : ok(source);
      if (!path.ok) return path;
      const opened = await openSource(path.value);
      if (!opened.ok) return opened;
      const offers = [...opened.value.skills]
        .filter(([each]) => name === undefined || each === name)
        .map(([each, files]) => viewOffer(each, files, installedFiles(place, each)));
      if (offers.length === 0) return notThere(name ?? '');
      return ok({ source: path.value, offers: offers.sort((a, b) => (a.name < b.name ? -1 : 1)) });
    },
    'skills.install': async ({ agent, source, skills: choices }) => {
      const skills = open(agent);
      if (!skills.ok) return skills;
      const opened = await openSource(source);
      if (!opened.ok) return opened;
      const installed = store.install(skills.value.place, source, opened.value, choices);
      return installed.ok ? ok({ installed: installed.value }) : installed;
    },
    'skills.remove': ({ agent, name }) => {
      const skills = open(agent);
      if (!skills.ok) return skills;
      const removed = store.remove(skills.value.place, name);
      return removed.ok ? ok({}) : removed;
    },
  };
}

const createDecides = (open: Opened, disk: DiskPort): Decides => ({
  'skills.switch': async ({ agent, name, on }) => {
    const skills = open(agent);
    if (!skills.ok) return skills;
    const found = await skills.value.find(name, undefined);
    if (!found.ok) return found;
    if (!skills.value.agent) return notThere(name);
    const switched = installedRecord(disk, skills.value.agent).switchSkill(name, on);
    return switched.ok ? ok({}) : switched;
  },
  'skills.accept': async ({ agent, name, folder, digest }) => {
    const skills = open(agent);
    if (!skills.ok) return skills;
    const found = await skills.value.find(name, folder);
    if (!found.ok) return found;
    const { view } = found.value;
    if (!skills.value.agent || view.place !== 'project') return notThere(name);
    if (view.digest !== digest) return err(fail('conflict', 'skills.changedMeanwhile', { name }));
    const accepted = installedRecord(disk, skills.value.agent).skill(name, digest);
    return accepted.ok ? ok({}) : accepted;
  },
});

export function createSkillHandlers(deps: SkillHandlerDeps): Looks & Installs & Decides {
  const open: Opened = (ref) => {
    if (ref === undefined) return ok(new SkillsOf(deps, null));
    const found = findAgent(deps.agents, ref);
    return found.ok ? ok(new SkillsOf(deps, found.value)) : found;
  };
  return { ...createLooks(open), ...createInstalls(open, deps), ...createDecides(open, deps.ports.disk) };
}
