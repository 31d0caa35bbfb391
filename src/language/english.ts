import { agents } from './english/agents.ts';
import { amounts } from './english/amounts.ts';
import { chat } from './english/chat.ts';
import { consent } from './english/consent.ts';
import { files } from './english/files.ts';
import { identity } from './english/identity.ts';
import { inbox } from './english/inbox.ts';
import { links } from './english/links.ts';
import { look } from './english/look.ts';
import { memory } from './english/memory.ts';
import { moving } from './english/moving.ts';
import { parts } from './english/parts.ts';
import { reasons } from './english/reasons.ts';
import { runtime } from './english/runtime.ts';
import { search } from './english/search.ts';
import { spaces } from './english/spaces.ts';
import { states } from './english/states.ts';
import { templates } from './english/templates.ts';
import { time } from './english/time.ts';
import { tools } from './english/tools.ts';
import { usage } from './english/usage.ts';
import { workInChat } from './english/work-in-chat.ts';
import { workspace } from './english/workspace.ts';

/** Every text of the window and the tray, by the part where it stands: ICU messages. */
export const english = {
  agents,
  amounts,
  chat,
  consent,
  files,
  identity,
  inbox,
  links,
  look,
  memory,
  moving,
  parts,
  reasons,
  runtime,
  search,
  spaces,
  states,
  templates,
  time,
  tools,
  usage,
  workInChat,
  workspace,
} as const;
