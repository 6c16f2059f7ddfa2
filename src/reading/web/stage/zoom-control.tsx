import { useRef } from 'react';
import { MinusIcon, PlusIcon } from '../../../ui/pictures/tool-icons.tsx';
import { ToolButton } from './tool-button.tsx';
import type { Gestures } from './track-gestures.ts';
import styles from './zoom-control.module.css';
import { isZoomed, percentText, ZOOM_STEPS, type Zoom } from './zoom.ts';

/** The zoom of the page: smaller, the present value with the choices 适合页面, 适合宽度 and the steps, larger. */
export function ZoomControl(props: {
  zoom: Zoom;
  gestures: () => Gestures | null;
  /** Takes the focus back after a choice with the mouse: the arrow keys turn pages again. */
  onChosen: () => void;
}) {
  const { zoom, gestures } = props;
  const isMouse = useRef(false);
  const isStep = ZOOM_STEPS.some((step) => Math.abs(step - zoom.scale) < 0.01);
  const value = zoom.fit ?? (isStep ? String(zoom.scale) : 'own');
  return (
    <div className={styles['zoom']} role="group" aria-label="缩放">
      <ToolButton shape="slim" label="缩小" disabled={!isZoomed(zoom)} onClick={() => gestures()?.step(-1)}>
        <MinusIcon />
      </ToolButton>
      <select
        className={styles['value']}
        aria-label="缩放比例"
        value={value}
        onPointerDown={() => (isMouse.current = true)}
        onKeyDown={() => (isMouse.current = false)}
        onChange={({ target }) => {
          if (target.value === 'page' || target.value === 'width') gestures()?.fit(target.value);
          else if (target.value !== 'own') gestures()?.zoomTo(Number(target.value));
          if (isMouse.current) props.onChosen();
        }}
      >
        <option value="page">适合页面</option>
        <option value="width">适合宽度{zoom.fit === 'width' ? ` ${percentText(zoom.scale)}` : ''}</option>
        {ZOOM_STEPS.map((step) => (
          <option key={step} value={step}>
            {percentText(step)}
          </option>
        ))}
        {value === 'own' && (
          <option value="own" hidden>
            {percentText(zoom.scale)}
          </option>
        )}
      </select>
      <ToolButton
        shape="slim"
        label="放大"
        disabled={zoom.scale >= Math.max(...ZOOM_STEPS)}
        onClick={() => gestures()?.step(1)}
      >
        <PlusIcon />
      </ToolButton>
    </div>
  );
}
