import { Modal } from '@mantine/core';
import { ContactFacts } from './contact-facts.tsx';
import styles from './contact-dialog.module.css';

/** 联系客服开通: how to get a membership or coins while they are granted by the service team. */
export function ContactDialog(props: { isOpen: boolean; onClose: () => void; title?: string; text?: string }) {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title ?? '联系客服开通'} size={420}>
      <p className={styles['text']}>{props.text ?? '告诉客服您的用户ID和想要的套餐，开通后立即生效，无需重新登录。'}</p>
      <ContactFacts />
    </Modal>
  );
}
