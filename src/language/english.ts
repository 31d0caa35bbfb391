import { amounts } from './english/amounts.ts';
import { chat } from './english/chat.ts';
import { files } from './english/files.ts';
import { links } from './english/links.ts';
import { look } from './english/look.ts';
import { parts } from './english/parts.ts';
import { reasons } from './english/reasons.ts';
import { search } from './english/search.ts';
import { spaces } from './english/spaces.ts';
import { states } from './english/states.ts';
import { time } from './english/time.ts';
import { workInChat } from './english/work-in-chat.ts';

/** Every text of the window and the tray, by the part where it stands: ICU messages. */
export const english = {
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
} as const;
