import { useNavigation } from 'react-router';
import styles from './navigation-progress.module.css';

/** A thin line at the top while the next page is fetched, after a short delay so that fast pages show nothing. */
export function NavigationProgress() {
  const navigation = useNavigation();
  if (navigation.state === 'idle') return null;
  return <div className={styles['bar']} role="progressbar" aria-label="页面加载中" />;
}
