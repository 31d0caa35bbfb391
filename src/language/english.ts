import { agents } from './english/agents.ts';
import { amounts } from './english/amounts.ts';
import { annotations } from './english/annotations.ts';
import { chat } from './english/chat.ts';
import { consent } from './english/consent.ts';
import { contacts } from './english/contacts.ts';
import { containers } from './english/containers.ts';
import { conversations } from './english/conversations.ts';
import { files } from './english/files.ts';
import { firstRun } from './english/first-run.ts';
import { forms } from './english/forms.ts';
import { frame } from './english/frame.ts';
import { gates } from './english/gates.ts';
import { home } from './english/home.ts';
import { identity } from './english/identity.ts';
import { inbox } from './english/inbox.ts';
import { links } from './english/links.ts';
import { lists } from './english/lists.ts';
import { log } from './english/log.ts';
import { look } from './english/look.ts';
import { memory } from './english/memory.ts';
import { moving } from './english/moving.ts';
import { palette } from './english/palette.ts';
import { parts } from './english/parts.ts';
import { people } from './english/people.ts';
import { processes } from './english/processes.ts';
import { profile } from './english/profile.ts';
import { programs } from './english/programs.ts';
import { providers } from './english/providers.ts';
import { quickAsk } from './english/quick-ask.ts';
import { reasons } from './english/reasons.ts';
import { runtime } from './english/runtime.ts';
import { schedules } from './english/schedules.ts';
import { search } from './english/search.ts';
import { settings } from './english/settings.ts';
import { shell } from './english/shell.ts';
import { spaces } from './english/spaces.ts';
import { states } from './english/states.ts';
import { tasks } from './english/tasks.ts';
import { templates } from './english/templates.ts';
import { time } from './english/time.ts';
import { toolHelp } from './english/tool-help.ts';
import { tools } from './english/tools.ts';
import { tray } from './english/tray.ts';
import { undo } from './english/undo.ts';
import { upkeep } from './english/upkeep.ts';
import { usage } from './english/usage.ts';
import { work } from './english/work.ts';
import { workInChat } from './english/work-in-chat.ts';
import { workflowFields } from './english/workflow-fields.ts';
import { workflows } from './english/workflows.ts';
import { workspace } from './english/workspace.ts';

/** English texts of window and tray by area, as ICU messages. */
export const english = {
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
} as const;
