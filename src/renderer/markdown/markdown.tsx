import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { t } from '../../language/texts.ts';
import { visibleBody } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { codeBudget, codeText, colouredAs } from './code-budget.ts';
import { CodeText, StreamingText } from './code-text.tsx';
import { GatedLink, gatedAddress } from './link-gate.tsx';
import { mentionTag, useMentionPlugin } from './mention-chips.tsx';

/** Renders links through the gate, images as text, and raw HTML as text. */
const components: Components = {
  a: ({ href, children }) => <GatedLink href={href}>{children}</GatedLink>,
  [mentionTag]: ({ title, children }) => (
    <bdi className="mention-chip" title={title}>
      {children}
    </bdi>
  ),
  img: ({ alt }) => (
    <span className="off-picture">{alt ? t('links.pictureOf', { words: alt }) : t('links.picture')}</span>
  ),
  input: ({ checked }) => <span aria-hidden="true">{checked === true ? '☑ ' : '☐ '}</span>,
  pre: ({ children, node }) => (
    <div className="code-block">
      <CodeText language={colouredAs(node)} code={codeText(node)}>
        {children}
      </CodeText>
      <CopyButton label={t('links.copyCode')} text={codeText(node)} />
    </div>
  ),
  table: ({ children }) => (
    <div className="table-scroll">
      <table>{children}</table>
    </div>
  ),
  h1: ({ children }) => <p className="md-h md-h1">{children}</p>,
  h2: ({ children }) => <p className="md-h md-h2">{children}</p>,
  h3: ({ children }) => <p className="md-h md-h3">{children}</p>,
  h4: ({ children }) => <p className="md-h">{children}</p>,
  h5: ({ children }) => <p className="md-h">{children}</p>,
  h6: ({ children }) => <p className="md-h">{children}</p>,
};

const plugins = [remarkGfm];

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const mentions = useMentionPlugin();
  return (
    <div className="md" dir="auto">
      <ReactMarkdown
        remarkPlugins={plugins}
        rehypePlugins={[...mentions, codeBudget]}
        components={components}
        urlTransform={(address) => gatedAddress(address)?.href ?? ''}
      >
        {visibleBody(text)}
      </ReactMarkdown>
    </div>
  );
});

/** Length of the completed paragraphs of a streaming text: up to the last blank line outside a code fence. */
export function settledLength(text: string): number {
  let fence = '';
  let settled = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    at += line.length + 1;
    if (fence === '' && line.trim() === '' && at <= text.length) settled = at;
  }
  return settled;
}

/** Text that streams in; completed paragraphs are not parsed again on each frame. */
export function GrowingMarkdown({ text }: { text: string }) {
  const settled = settledLength(text);
  return (
    <>
      {settled > 0 && <Markdown text={text.slice(0, settled)} />}
      {settled < text.length && (
        <StreamingText value={true}>
          <Markdown text={text.slice(settled)} />
        </StreamingText>
      )}
    </>
  );
}
