from multiprocessing import Process
from multiprocessing.pool import Pool
