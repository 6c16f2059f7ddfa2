import { useState } from 'react';
import { Tabs } from '../../../ui/navigation/tabs.tsx';
import { LoginForm } from './login-form.tsx';
import { PhoneLogin } from './phone-login.tsx';
import { kindsOf, waysOf, type LoginMethods, type Way } from './login-methods.ts';
import { ScanLogin } from './scan-login.tsx';

const LABELS: Record<Way, string> = { scan: '微信扫码', phone: '手机登录', username: '账号登录' };
const REGISTER_LABELS: Record<Way, string> = { scan: '微信', phone: '手机号', username: '账号' };

/** A phone cannot scan the code that it shows (C-19). */
const isPhoneScreen = () => window.matchMedia('(max-width: 767px)').matches;

/**
 * Renders every login method of this site, WeChat first (C-19). 注册 starts with the phone, whose first code creates the
 * account (C-18), and so does a phone's screen. `start`: the phone after a password reset. `isUninvited`: the dialog
 * opened by itself, so no field takes the focus.
 */
export function LoginPanel(props: {
  methods: LoginMethods;
  isRegister: boolean;
  start: string | null;
  isUninvited: boolean;
  onForgotten: (phone: string) => void;
}) {
  const { methods } = props;
  const ways = waysOf(methods);
  const [chosen, setChosen] = useState<Way | null>(
    props.isRegister || props.start !== null || isPhoneScreen() ? 'phone' : null,
  );
  const way = chosen && ways.includes(chosen) ? chosen : (ways[0] ?? 'username');
  const start = props.start === null ? undefined : ({ way: 'password', phone: props.start } as const);
  const panel = (value: Way) => {
    if (value === 'scan')
      return <ScanLogin kinds={kindsOf(methods)} onOtherWay={() => setChosen(ways[1] ?? 'username')} />;
    if (value === 'phone')
      return (
        <PhoneLogin
          {...(start && { start })}
          hasCode={methods.sms === 1}
          hasPassword={!props.isRegister}
          onForgotten={props.onForgotten}
        />
      );
    return <LoginForm />;
  };
  const labels = props.isRegister ? REGISTER_LABELS : LABELS;
  const isQuiet = way === 'scan' || props.isUninvited || isPhoneScreen();
  return (
    <>
      {/* Before the first field: the dialog itself is what a screen reader begins with, and no keyboard slides up. */}
      {isQuiet && <span className="visually-hidden" tabIndex={-1} data-autofocus />}
      <Tabs
        label="登录方式"
        tabs={ways.map((value) => ({ value, label: labels[value] }))}
        value={way}
        onChange={setChosen}
      >
        {panel}
      </Tabs>
    </>
  );
}
