import { agents } from './german/agents.ts';
import { amounts } from './german/amounts.ts';
import { chat } from './german/chat.ts';
import { consent } from './german/consent.ts';
import { files } from './german/files.ts';
import { identity } from './german/identity.ts';
import { inbox } from './german/inbox.ts';
import { links } from './german/links.ts';
import { look } from './german/look.ts';
import { memory } from './german/memory.ts';
import { moving } from './german/moving.ts';
import { parts } from './german/parts.ts';
import { reasons } from './german/reasons.ts';
import { runtime } from './german/runtime.ts';
import { search } from './german/search.ts';
import { spaces } from './german/spaces.ts';
import { states } from './german/states.ts';
import { templates } from './german/templates.ts';
import { time } from './german/time.ts';
import { tools } from './german/tools.ts';
import { usage } from './german/usage.ts';
import { workInChat } from './german/work-in-chat.ts';
import { workspace } from './german/workspace.ts';
import type { Catalog } from './words.ts';

export const german: Catalog = {
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
};
