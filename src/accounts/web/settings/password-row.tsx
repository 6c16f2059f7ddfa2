import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { Button } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import styles from '../login/login-form.module.css';
import { ResetPassword } from '../login/reset-password.tsx';
import { Row } from './settings-rows.tsx';

/** Renders the password row. A password is only ever replaced by a code to the bound phone (C-69). */
export function PasswordRow({ phone, hasPassword }: { phone: string; hasPassword: boolean }) {
  const { revalidate } = useRevalidator();
  const [isOpen, setIsOpen] = useState(false);
  const title = hasPassword ? '重置密码' : '设置密码';
  return (
    <Row
      label="密码"
      action={
        phone && (
          <Button size="small" aria-label={title} onClick={() => setIsOpen(true)}>
            {hasPassword ? '重置' : '设置'}
          </Button>
        )
      }
    >
      <span className={hasPassword ? undefined : styles['empty']}>{hasPassword ? '已设置' : '未设置'}</span>
      {!phone && <span className={styles['hint']}>{hasPassword ? '绑定手机号后可重置' : '绑定手机号时可设置'}</span>}
      {isOpen && (
        <Sheet title={title} onClose={() => setIsOpen(false)}>
          <p className={styles['lead']}>{hasPassword ? '重置' : '设置'}后，其他设备上的登录会全部退出。</p>
          <ResetPassword
            ownPhone={phone}
            verb={hasPassword ? '重置' : '设置'}
            onDone={() => {
              setIsOpen(false);
              void revalidate();
            }}
          />
        </Sheet>
      )}
    </Row>
  );
}
