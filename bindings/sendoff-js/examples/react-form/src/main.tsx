import { createRoot } from 'react-dom/client'
import { Transfer } from './transfer.js'

createRoot(document.getElementById('page')!).render(<Transfer />)
