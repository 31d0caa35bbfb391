import { useRef } from 'react';
import { maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { Icon } from '../mark/icon.tsx';
import { bytesWords } from '../words/amounts.ts';
import { takeFiles } from './use-files.ts';

const limits = `Attach files: at most ${maxFilesPerMessage}, each up to ${bytesWords(maxFileBytes)}`;

export function AttachButton({ place, disabled }: { place: string; disabled: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="icon-button attach"
        aria-label="Attach files"
        title={limits}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" size={18} />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={limits}
        onChange={({ target }) => {
          takeFiles(place, [...(target.files ?? [])]);
          // The same file can be chosen again after it was taken out.
          target.value = '';
        }}
      />
    </>
  );
}
