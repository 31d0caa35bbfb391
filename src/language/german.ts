import { agents } from './german/agents.ts';
import { amounts } from './german/amounts.ts';
import { annotations } from './german/annotations.ts';
import { chat } from './german/chat.ts';
import { consent } from './german/consent.ts';
import { contacts } from './german/contacts.ts';
import { containers } from './german/containers.ts';
import { conversations } from './german/conversations.ts';
import { files } from './german/files.ts';
import { firstRun } from './german/first-run.ts';
import { forms } from './german/forms.ts';
import { frame } from './german/frame.ts';
import { gates } from './german/gates.ts';
import { home } from './german/home.ts';
import { identity } from './german/identity.ts';
import { inbox } from './german/inbox.ts';
import { links } from './german/links.ts';
import { lists } from './german/lists.ts';
import { log } from './german/log.ts';
import { look } from './german/look.ts';
import { mcp } from './german/mcp.ts';
import { memory } from './german/memory.ts';
import { moving } from './german/moving.ts';
import { palette } from './german/palette.ts';
import { parts } from './german/parts.ts';
import { people } from './german/people.ts';
import { processes } from './german/processes.ts';
import { profile } from './german/profile.ts';
import { programs } from './german/programs.ts';
import { providers } from './german/providers.ts';
import { quickAsk } from './german/quick-ask.ts';
import { reasons } from './german/reasons.ts';
import { runtime } from './german/runtime.ts';
import { schedules } from './german/schedules.ts';
import { search } from './german/search.ts';
import { settings } from './german/settings.ts';
import { shell } from './german/shell.ts';
import { skills } from './german/skills.ts';
import { spaces } from './german/spaces.ts';
import { states } from './german/states.ts';
import { tasks } from './german/tasks.ts';
import { templates } from './german/templates.ts';
import { time } from './german/time.ts';
import { toolHelp } from './german/tool-help.ts';
import { tools } from './german/tools.ts';
import { tray } from './german/tray.ts';
import { undo } from './german/undo.ts';
import { upkeep } from './german/upkeep.ts';
import { usage } from './german/usage.ts';
import { work } from './german/work.ts';
import { workInChat } from './german/work-in-chat.ts';
import { workflowFields } from './german/workflow-fields.ts';
import { workflows } from './german/workflows.ts';
import { workspace } from './german/workspace.ts';
import type { Catalog } from './words.ts';

export const german: Catalog = {
  agents,
  amounts,
  annotations,
  chat,
  consent,
  contacts,
  conversations,
  files,
  firstRun,
  forms,
  frame,
  palette,
  gates,
  home,
  identity,
  inbox,
  links,
  lists,
  log,
  look,
  mcp,
  memory,
  moving,
  parts,
  people,
  processes,
  profile,
  containers,
  programs,
  providers,
  quickAsk,
  reasons,
  runtime,
  schedules,
  search,
  settings,
  shell,
  skills,
  spaces,
  states,
  tasks,
  templates,
  time,
  toolHelp,
  tools,
  tray,
  upkeep,
  undo,
  usage,
  work,
  workflowFields,
  workflows,
  workInChat,
  workspace,
};
