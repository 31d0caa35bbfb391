/**
 * Finds directives in an answer while it streams: linear in the text, and every split of the text gives the same
 * directives. Holds back text only from the start of a line that may still open a directive. Directives that only
 * white space separates form one group; prose after it stops the parser. A directive inside of another code block is
 * text, and one that never closes does not count.
 */
import type { Directive, DirectiveEvent } from './directive.ts';
import {
  closes,
  type FenceMark,
  longestMarker,
  type Opener,
  readFenceLine,
  readFenceOpener,
  readXmlOpener,
} from './directive-grammar.ts';
import { readXmlBody } from './xml-body.ts';

/** Tags around calls, which count as white space. */
const wrappers = ['<function_calls>', '</function_calls>'];
const invoke = '<invoke';
const callEnd = '</invoke>';
const cdataStart = '<![CDATA[';
const cdataEnd = ']]>';

type Verdict = 'open' | 'text' | 'wrapper';

/** Whether a held tag may still become an XML call. */
function judgeTag(tag: string): Verdict {
  if (wrappers.includes(tag)) return 'wrapper';
  if (wrappers.some((wrapper) => wrapper.startsWith(tag))) return 'open';
  if (tag.length <= invoke.length) return invoke.startsWith(tag) ? 'open' : 'text';
  return tag.startsWith(invoke) && /\s/.test(tag[invoke.length] ?? '') ? 'open' : 'text';
}

/** Whether a held line may still become a fence. */
function judgeFence(line: string, character: string): Verdict {
  const last = line.at(-1) ?? '';
  if (last === character) {
    // Backticks after the run make the line inline code.
    return character === '~' || line.trimStart() === character.repeat(line.trimStart().length)
      ? 'open'
      : 'text';
  }
  return line.trimStart().startsWith(character.repeat(3)) ? 'open' : 'text';
}

/** Body of a fence: without its last LF; in code also without CR, and without the indent of the fence. */
function fenceBody(text: string, { action, indent }: Opener): string {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (action === 'create') return body;
  const unix = body.replace(/\r\n/g, '\n').replace(/\r$/, '');
  return indent === 0 ? unix : unix.replace(new RegExp(`(^|\\n) {1,${indent}}`, 'g'), '$1');
}

export class DirectiveParser {
  #state: 'start' | 'line' | 'block' | 'fence' | 'call' | 'stopped' = 'start';
  /** Held text of a line that may become an opener. */
  #held = '';
  /** False after a tag in the same line: only a further tag may open a directive there. */
  #isLineStart = true;
  /** The current line of a block or fence; `null` if it is too long to close it. */
  #line: string | null = '';
  /** The fence of a code block that is no directive. */
  #block: FenceMark | null = null;
  #opener: Opener | null = null;
  #openerLength = 0;
  #source = '';
  #depth = 0;
  #isCdata = false;
  /** The newest characters of a call. */
  #tail = '';
  #found = 0;
  #events: DirectiveEvent[] = [];
  #text = '';
  #dropped = '';

  /** True if prose followed the directives, so the rest of the answer is worthless. */
  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  push(delta: string): readonly DirectiveEvent[] {
    for (let at = 0; at < delta.length; at += 1) this.#take(delta[at] ?? '');
    return this.#flush();
  }

  /** The end of the answer. */
  end(): readonly DirectiveEvent[] {
    const opener = this.#opener;
    if (opener?.fence && this.#line !== null && this.#endsFence(this.#line, opener)) this.#closeFence(opener);
    else if (opener) {
      this.#flushText();
      const { target, action } = opener;
      this.#events.push({ type: 'incomplete', target, action, text: this.#source });
      this.#opener = null;
      this.#source = '';
    } else if (this.#held !== '') this.#release(this.#held.trim() === '');
    return this.#flush();
  }

  #take(character: string): void {
    const state = this.#state;
    if (state === 'start') this.#takeStart(character);
    else if (state === 'block') this.#takeBlock(character);
    else if (state === 'fence') this.#takeFence(character);
    else if (state === 'call') this.#takeCall(character);
    else if (state === 'stopped') this.#dropped += character;
    else {
      this.#text += character;
      if (character === '\n') this.#startLine();
    }
  }

  #startLine(): void {
    this.#state = 'start';
    this.#isLineStart = true;
  }

  #takeStart(character: string): void {
    this.#held += character;
    const shown = this.#held.trimStart();
    if (shown === '') {
      // A blank line, or spaces that are too many to hold.
      if (character === '\n') this.#release(true);
      else if (this.#held.length > longestMarker) this.#release(true, 'start');
      return;
    }
    const first = shown[0] ?? '';
    if (first === '<') this.#takeTag(shown);
    else if ((first === '`' || first === '~') && this.#isLineStart) this.#takeMark(character, first);
    else this.#release(false);
  }

  #takeTag(tag: string): void {
    const verdict = judgeTag(tag);
    if (verdict === 'wrapper') {
      this.#release(true, 'start');
      this.#isLineStart = false;
    } else if (verdict === 'text' || this.#held.length > longestMarker) this.#release(false);
    else if (tag.endsWith('>')) {
      const opener = readXmlOpener(tag);
      if (opener) this.#open(opener, 'call');
      else this.#release(false);
    }
  }

  #takeMark(character: string, first: string): void {
    const line = this.#held;
    if (character !== '\n' && line.length <= longestMarker) {
      if (judgeFence(line, first) === 'text') this.#release(false);
      return;
    }
    const opener = readFenceOpener(line);
    if (opener) {
      this.#open(opener, 'fence');
      return;
    }
    const block = readFenceLine(line);
    this.#release(false);
    if (block && !this.isStopped) {
      this.#block = block;
      this.#line = character === '\n' ? '' : null;
      this.#state = 'block';
    }
  }

  /** Gives up the held text: as text, or as the prose that ends a group. */
  #release(isBlank: boolean, next?: 'start'): void {
    const held = this.#held;
    this.#held = '';
    if (!isBlank && this.#found > 0) {
      this.#flushText();
      this.#state = 'stopped';
      this.#events.push({ type: 'stop' });
      this.#dropped += held;
      return;
    }
    this.#text += held;
    if (next === undefined && !held.endsWith('\n')) this.#state = 'line';
    else if (held.endsWith('\n')) this.#startLine();
    if (next === 'start' && isBlank) this.#isLineStart = false;
  }

  #open(opener: Opener, state: 'fence' | 'call'): void {
    this.#flushText();
    this.#opener = opener;
    this.#source = this.#held;
    this.#openerLength = this.#held.length;
    this.#held = '';
    this.#line = '';
    this.#tail = '';
    this.#depth = 0;
    this.#isCdata = false;
    this.#state = state;
  }

  /** Adds to the current line; returns it when it is complete. */
  #lineWith(character: string): string | null {
    if (this.#line !== null) this.#line = this.#line.length < longestMarker ? this.#line + character : null;
    if (character !== '\n') return null;
    const line = this.#line ?? '';
    this.#line = '';
    return line;
  }

  #takeBlock(character: string): void {
    this.#text += character;
    const line = this.#lineWith(character);
    if (line === null || !this.#block || !closes(line, this.#block)) return;
    this.#block = null;
    this.#startLine();
  }

  #takeFence(character: string): void {
    this.#source += character;
    const before = this.#line;
    const line = this.#lineWith(character);
    const opener = this.#opener;
    if (line === null || !opener || !this.#endsFence(line, opener)) return;
    this.#line = `${before ?? ''}\n`;
    this.#closeFence(opener);
  }

  /** In a file of three backticks, a fence with an info string opens an inner block, and a bare one closes it. */
  #endsFence(line: string, { action, fence }: Opener): boolean {
    if (!fence) return false;
    const found = readFenceLine(line);
    if (!found || found.character !== fence.character) return false;
    const nests = action === 'create' && fence.length === 3;
    if (found.info !== '') {
      if (nests) this.#depth += 1;
      return false;
    }
    if (this.#depth > 0) {
      this.#depth -= 1;
      return false;
    }
    return found.length >= fence.length;
  }

  #closeFence(opener: Opener): void {
    const closer = this.#line ?? '';
    const text = this.#source.slice(this.#openerLength, this.#source.length - closer.length);
    this.#directive(opener, fenceBody(text, opener));
    this.#startLine();
  }

  #takeCall(character: string): void {
    this.#source += character;
    this.#tail = (this.#tail + character).slice(-callEnd.length);
    if (this.#isCdata) {
      if (character === '>' && this.#tail.endsWith(cdataEnd)) this.#isCdata = false;
      return;
    }
    if (character === '[' && this.#tail === cdataStart) this.#isCdata = true;
    const opener = this.#opener;
    if (character !== '>' || this.#tail !== callEnd || !opener) return;
    this.#directive(opener, readXmlBody(this.#source.slice(this.#openerLength, -callEnd.length)));
    this.#state = 'start';
    this.#isLineStart = false;
  }

  #directive({ target, action }: Opener, body: string): void {
    const directive: Directive = { target, action, body, source: this.#source };
    this.#events.push({ type: 'directive', directive });
    this.#found += 1;
    this.#opener = null;
    this.#source = '';
    this.#line = '';
  }

  #flushText(): void {
    if (this.#text !== '') this.#events.push({ type: 'text', text: this.#text });
    this.#text = '';
  }

  #flush(): readonly DirectiveEvent[] {
    this.#flushText();
    if (this.#dropped !== '') this.#events.push({ type: 'dropped', text: this.#dropped });
    this.#dropped = '';
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Reads a complete answer. */
export function parseDirectives(answer: string): readonly DirectiveEvent[] {
  const parser = new DirectiveParser();
  return [...parser.push(answer), ...parser.end()];
}
