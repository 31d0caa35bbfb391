import { amounts } from './german/amounts.ts';
import { chat } from './german/chat.ts';
import { files } from './german/files.ts';
import { links } from './german/links.ts';
import { look } from './german/look.ts';
import { parts } from './german/parts.ts';
import { reasons } from './german/reasons.ts';
import { search } from './german/search.ts';
import { spaces } from './german/spaces.ts';
import { states } from './german/states.ts';
import { time } from './german/time.ts';
import { workInChat } from './german/work-in-chat.ts';
import type { Catalog } from './words.ts';

export const german: Catalog = {
  amounts,
  chat,
  files,
  links,
  look,
  parts,
  reasons,
  search,
  spaces,
  states,
  time,
  workInChat,
};
