import { useRef } from 'react';
import { maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { Icon } from '../mark/icon.tsx';
import { takeFiles } from './use-files.ts';

export function AttachButton({ place, disabled }: { place: string; disabled: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const limits = t('files.attachLimits', { count: maxFilesPerMessage, size: bytesWords(maxFileBytes) });
  return (
    <>
      <button
        type="button"
        className="icon-button attach"
        aria-label={t('files.attach')}
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
          // A cleared input reports the same file again if the user removes and re-chooses it.
          target.value = '';
        }}
      />
    </>
  );
}
