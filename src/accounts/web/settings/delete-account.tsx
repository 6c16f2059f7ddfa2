import { useState } from 'react';
import type { Member } from '../../../membership/contract.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { COOLING_OFF_DAYS } from '../../contract.ts';
import { Row } from './settings-rows.tsx';

const DeleteDialog = lazyWithRetry(async () => (await import('./delete-dialog.tsx')).DeleteDialog);

/** Renders 注销账号 (C-74). */
export function DeleteAccount({ member }: { member: Member }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Row
      label="注销"
      action={
        <Button size="small" onClick={() => setIsOpen(true)}>
          注销账号
        </Button>
      }
    >
      <span>{COOLING_OFF_DAYS} 天冷静期后，永久删除您的个人数据</span>
      {isOpen && (
        <LazyBoundary onOpenChange={setIsOpen}>
          <DeleteDialog member={member} onClose={() => setIsOpen(false)} />
        </LazyBoundary>
      )}
    </Row>
  );
}
